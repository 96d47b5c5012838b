import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveConfig } from "../config/resolve-config.ts";
import { createFlowContext } from "../context/create-context.ts";
import { valuesOf } from "../protocol/cookie-values.ts";
import { standardParts } from "../standard.ts";
import { findCsrfPair, issueCsrfToken } from "./csrf.ts";

const ORIGIN = "https://app.example.com";
const SECRET = "a secret of more than thirty-two bytes for tests";
const NAME = "__Host-cardea.csrf-token";
const { config } = resolveConfig({ secret: SECRET, providers: [] }, {}, standardParts, { defaultBasePath: "/auth" });

const contextWith = (values: readonly string[]) =>
  createFlowContext(config, ORIGIN, new Headers({ cookie: values.map((value) => `${NAME}=${value}`).join("; ") }));

/** The order in which values are tried. */
const inOrder = (values: readonly string[]) => valuesOf(NAME, contextWith(values));

/** A token, and the value of its cookie. */
async function issue(session: string) {
  const context = contextWith([]);
  const token = await issueCsrfToken(context, session);
  return { token, session, value: context.jar.list()[0]?.value ?? "" };
}

describe("findCsrfPair()", () => {
  it("finds what fits, in any order, among others and forged ones, and as often as it is asked", async () => {
    const made = await Promise.all(["", "a", "b", ""].map(issue));
    const [first] = made;
    const forged = [`${first?.value.slice(0, -1)}~`, "x", first?.value.split(".").slice(0, 4).join(".") ?? ""];
    const values = fc.shuffledSubarray([...made.map(({ value }) => value), ...forged]);
    const wanted = fc.array(fc.constantFrom("", "a", "b", "c"), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(values, wanted, async (sent, sessions) => {
        const context = contextWith(sent);
        const found = await Promise.all(
          sessions.map((session) => findCsrfPair(context, (one) => one.session === session)),
        );
        const tokens = found.map((pair) => pair?.token);
        const owned = sessions.map(
          (session) =>
            inOrder(sent).flatMap(
              (value) => made.find((one) => one.value === value && one.session === session)?.token ?? [],
            )[0],
        );
        expect(tokens).toEqual(owned);
      }),
    );
  });
});
