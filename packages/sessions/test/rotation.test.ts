/** A session gets new facts, and with them a new token, while its user signs out: no token of it is a session afterwards. */
import type { Adapter } from "@cardea/core/adapters";
import { type ActionSpec, defineExtension, type ExtensionSpec } from "@cardea/extend";
import { describe, expect, it } from "vitest";
import { sessions } from "../src/index.ts";
import { copyOf, createTestApplication, EAGER, ORIGIN, post, replay, signIn } from "./application.ts";

const prove: ActionSpec = {
  ...{ csrf: "required", segment: "none", answers: "json", head: "skip" },
  run: async (action) => {
    await action.session();
    await action.renewSession({ f: [["otp", 9]] });
    return { kind: "empty", status: 204 };
  },
};

/** Has something happen while a session gets new facts. */
function setUp(strategy: "jwt" | "database", meanwhile: () => Promise<unknown>) {
  const app = createTestApplication({ strategy });
  const proofs = (onSession?: ExtensionSpec["onSession"]) =>
    defineExtension({
      id: "proofs",
      actions: { "POST prove": prove },
      ...(onSession === undefined ? {} : { onSession }),
    });
  const told = proofs(async ({ cause }) => {
    if (cause === "rotation") await meanwhile();
  });
  /** Deletes a session and tells nothing, as some adapters for Auth.js do. */
  const silent: Adapter = {
    ...app.memory.adapter,
    deleteSession: async (token) => {
      await meanwhile();
      await app.memory.adapter.deleteSession?.(token);
    },
  };
  const own = sessions({ revocation: EAGER });
  return {
    app,
    plain: () => app.server({ extensions: [] }),
    told: () => app.server({ extensions: [own, told] }),
    silent: () => app.server({ extensions: [own, proofs()], adapter: silent }),
  };
}

type Setting = ReturnType<typeof setUp>;

const CASES: readonly [string, "jwt" | "database", "told" | "silent", "told" | "plain"][] = [
  ["before the new token is handed out", "jwt", "told", "told"],
  ["before the new token is handed out", "database", "told", "told"],
  ["after the former record was last looked at", "database", "silent", "told"],
  ["of a session from before there were extensions", "jwt", "told", "plain"],
  ["of a session from before there were extensions", "database", "told", "plain"],
  ["of an earlier session, after the former record was last looked at", "database", "silent", "plain"],
];

it.each(CASES)("a sign-out %s ends the new token (%s)", async (_when, strategy, kind, first) => {
  let leave: (() => Promise<unknown>) | undefined;
  const setting: Setting = setUp(strategy, async () => {
    const run = leave;
    leave = undefined;
    await run?.();
  });
  const [renewing, leaving] = [setting[kind](), setting.told()];
  const browser = await signIn(setting[first]());
  const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
  const former = copyOf(browser);
  expect(await replay(renewing, former)).toBe("ann");
  leave = () => {
    const headers = { cookie: former, origin: ORIGIN };
    return leaving.handler(
      new Request(`${ORIGIN}/auth/signout`, { method: "POST", headers, body: new URLSearchParams({ csrfToken }) }),
    );
  };
  const renewed = await renewing.handler(
    new Request(`${ORIGIN}/auth/prove`, {
      method: "POST",
      headers: { cookie: former, origin: ORIGIN },
      body: new URLSearchParams({ csrfToken }),
    }),
  );
  expect([leave, renewed.status]).toEqual([undefined, 204]);
  const issued = renewed.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
  for (const cookie of [former, issued.join("; ")])
    expect([await replay(renewing, cookie), await replay(leaving, cookie)]).toEqual([null, null]);
});

describe("without a sign-out", () => {
  it.each(["jwt", "database"] as const)("the new token is the session (%s)", async (strategy) => {
    const setting = setUp(strategy, async () => undefined);
    for (const kind of ["told", "silent"] as const) {
      const server = setting[kind]();
      const browser = await signIn(server);
      const former = copyOf(browser);
      expect((await post(browser, "prove")).status).toBe(204);
      expect([await replay(server, former), await replay(server, copyOf(browser))]).toEqual([null, "ann"]);
    }
  });
});
