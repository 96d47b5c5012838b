/** What a session proves or changes must be its own, whatever other session a request holds (docs/extensions.md#actions). */

import { createAuth } from "@cardea/core";
import { encode } from "@cardea/core/jwt";
import { defineExtension } from "@cardea/extend";
import { assert, asyncProperty, shuffledSubarray } from "fast-check";
import { describe, expect, it } from "vitest";

const SECRET = "a secret of more than thirty-two bytes for tests";
const NAME = "__Host-cardea.session-token";

/** Tells which user an action sees, and which one a read of the session. */
async function setUp() {
  const { handlers } = createAuth({
    secret: SECRET,
    trustHost: true,
    providers: [],
    callbacks: { session: ({ session, token }) => ({ ...session, sub: token?.sub }) },
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    extensions: [
      defineExtension({
        id: "who",
        actions: {
          "GET who": {
            ...{ csrf: "none", segment: "none", answers: "json", head: "skip" },
            run: async ({ session }) => ({ kind: "json", status: 200, body: (await session())?.userId ?? null }),
          },
        },
      }),
    ],
  });
  const make = (sub: string, sid: string, maxAge = 3_600) =>
    encode({
      token: { sub, jti: sid, cardea: { sid, at: 1, e: 0, f: [] } },
      secret: SECRET,
      salt: NAME,
      maxAge,
    });
  const tokens = {
    ann: await make("ann", "a1"),
    annAgain: await make("ann", "a2"),
    bob: await make("bob", "b1"),
    over: await make("bob", "b2", -60),
    broken: "eyJhbGciOiJkaXIifQ..x.y.z",
    empty: "",
  };
  const ask = async (path: string, names: readonly (keyof typeof tokens)[]): Promise<unknown> => {
    const cookie = names.map((name) => `${NAME}=${tokens[name]}`).join("; ");
    return (await handlers.GET(new Request(`https://app.example.com/auth/${path}`, { headers: { cookie } }))).json();
  };
  return { ask, all: Object.keys(tokens) as (keyof typeof tokens)[] };
}

describe("several sessions in one request", () => {
  it("an action sees the user of whom all of them are, and no one where they are of several", async () => {
    const { ask, all } = await setUp();
    await assert(
      asyncProperty(shuffledSubarray(all), async (names) => {
        const users = new Set(names.flatMap((name) => OWNERS[name] ?? []));
        const [only = null] = users.size === 1 ? users : [];
        expect(await ask("who", names)).toBe(only);
      }),
    );
  });

  it("a session of the same user, one that is over and one that is not ours change nothing", async () => {
    const { ask } = await setUp();
    expect(await ask("who", ["broken", "over", "ann", "annAgain"])).toBe("ann");
    expect(await ask("session", ["bob", "over", "ann"])).toMatchObject({ sub: "bob" });
  });
});

it("a sign-out ends every session of the request, and follows the first to its provider", async () => {
  const ended: unknown[] = [];
  const { handlers } = createAuth({
    secret: SECRET,
    trustHost: true,
    providers: [],
    logger: { error: (error) => ended.push(error), warn: () => undefined, debug: () => undefined },
    extensions: [
      defineExtension({
        id: "told",
        onSignOut: ({ sid, federated }) => {
          ended.push([sid, federated]);
          return { redirect: new URL(`https://op.example.com/${sid}`) };
        },
      }),
    ],
  });
  const origin = "https://app.example.com";
  const token = (sid: string) =>
    encode({ token: { sub: "ann", jti: sid, cardea: { sid, at: 1, e: 0, f: [] } }, secret: SECRET, salt: NAME });
  const sent = `${NAME}=${await token("a1")}; ${NAME}=${await token("a2")}`;
  const visit = await handlers.GET(new Request(`${origin}/auth/csrf`, { headers: { cookie: sent } }));
  const cookie = [sent, ...visit.headers.getSetCookie().map((line) => line.split(";")[0])].join("; ");
  const body = new URLSearchParams({ csrfToken: Object(await visit.json()).csrfToken });
  const request = new Request(`${origin}/auth/signout`, { method: "POST", headers: { cookie, origin }, body });
  expect((await handlers.POST(request)).headers.get("location")).toBe("https://op.example.com/a1");
  expect(ended).toEqual([
    ["a1", undefined],
    ["a2", false],
  ]);
});

const OWNERS: Readonly<Record<string, string>> = { ann: "ann", annAgain: "ann", bob: "bob" };
