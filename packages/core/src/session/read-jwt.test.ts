import { createAuth } from "@cardea/core";
import { describe, expect, it } from "vitest";
import { COOKIE, cookieHeader, ORIGIN, setUp } from "../../test/harness/harness.ts";
import { afterSignIn, claimsOf, DAY, keep, read, signedIn } from "../../test/harness/session-journeys.ts";
import { encode } from "../jwt.ts";
import type { Callbacks, JWTCallbackParams } from "../model/callbacks.ts";
import type { JWTDecodeParams, JWTEncodeParams } from "../model/config.ts";
import type { JWT } from "../model/records.ts";
import { FACTS_CLAIM } from "../protocol/session-facts.ts";

describe("readJwt()", () => {
  it("rule 1: finds no session where there is no cookie, and sets none", async () => {
    const c = setUp();
    expect(await read(c)).toEqual({ body: null, status: 200, set: [] });
  });

  it("rule 2: gives callbacks.jwt the claims, and nothing of a sign-in", async () => {
    const seen: JWTCallbackParams[] = [];
    const { c } = await signedIn({ callbacks: afterSignIn(keep(seen)) });
    await read(c);
    expect(seen).toEqual([{ token: expect.objectContaining({ sub: "7", name: "ann", email: "ann@example.com" }) }]);
  });

  it("rule 2: ends the session when callbacks.jwt returns null", async () => {
    const { c } = await signedIn({ callbacks: afterSignIn(() => null) });
    const set = ["token", "mark"].map((name) => expect.stringMatching(`session-${name}=; Max-Age=0`));
    expect(await read(c)).toMatchObject({ body: null, status: 200, set });
    expect(c.browser.cookies.get(COOKIE.session)).toBeUndefined();
    expect(c.eventNames()).toEqual(["signIn"]);
  });

  it.each([[undefined], [false], [0], ["token"], [[]], [true]])(
    "rule 2: cannot say when callbacks.jwt returns %o, and keeps the cookie",
    async (value) => {
      const { c } = await signedIn({ callbacks: afterSignIn(() => value) }, true);
      expect(await read(c)).toEqual({ body: null, status: 503, set: [] });
      const [error] = c.logs.filter(({ level }) => level === "error").map(({ values }) => values[0]);
      expect(error).toMatchObject({ type: "SessionUnavailable", cause: { err: { type: "JWTSessionError" } } });
      expect(c.browser.cookies.get(COOKIE.session)).toBeDefined();
    },
  );

  it.each([
    [DAY - 1, false],
    [DAY, true],
    [DAY + 1, true],
  ])("rule 3: after %i seconds of updateAge one day, renewal is %o", async (seconds, isRenewed) => {
    const { c, clock } = await signedIn();
    const expires = clock.now() + 30 * DAY * 1000;
    clock.advance({ seconds });
    const { body, set } = await read(c);
    const later = isRenewed ? seconds * 1000 : 0;
    expect(body).toMatchObject({ user: { name: "ann" }, expires: new Date(expires + later).toISOString() });
    expect(set).toHaveLength(isRenewed ? 1 : 0);
    // Renewed once, it is fresh again.
    expect((await read(c)).set).toEqual([]);
  });

  it.each([
    ["leaves `iat` as it is", (token: JWT) => token],
    ["leaves `iat` out", ({ iat: _, ...token }: JWT) => token],
  ])("rule 3: renews once a day with an own jwt.encode that %s", async (_how, change) => {
    const seal = (token: JWT) => ({ ...change(token), exp: Math.floor(Date.now() / 1000) + 30 * DAY });
    const jwt = {
      encode: ({ token }: JWTEncodeParams) => Buffer.from(JSON.stringify(seal(token ?? {}))).toString("base64url"),
      decode: ({ token = "" }: JWTDecodeParams): JWT => JSON.parse(Buffer.from(token, "base64url").toString()),
    };
    const { c, clock } = await signedIn({ jwt });
    for (let day = 0; day < 3; day++) {
      clock.advance({ seconds: DAY });
      expect((await read(c)).set).toHaveLength(1);
      expect((await read(c)).set).toEqual([]);
    }
  });

  it("rule 3: renews at each read where updateAge is 0", async () => {
    const { c } = await signedIn({ session: { updateAge: 0 } });
    for (let n = 0; n < 3; n++) expect((await read(c)).set).toHaveLength(1);
  });

  it("rule 3: renews at once what callbacks.jwt changed, and only then", async () => {
    let roles = ["reader"];
    const { c } = await signedIn({ callbacks: afterSignIn(({ token }) => ({ ...token, roles })) });
    expect((await read(c)).set).toHaveLength(1);
    expect((await read(c)).set).toEqual([]);
    roles = ["reader", "writer"];
    expect((await read(c)).set).toHaveLength(1);
    expect(await claimsOf(c)).toMatchObject({ roles });
  });

  it.each<[string, (token: JWT) => JWT]>([
    ["the members that it knows", ({ sub, name, email, picture }) => ({ sub, name, email, picture })],
    ["another order", (token) => Object.fromEntries(Object.entries(token).reverse())],
    ["no id and no times", ({ jti: _jti, iat: _iat, exp: _exp, ...token }) => token],
    ["another user", (token) => ({ ...token, sub: "8" })],
    ["the reserved claim", (token) => ({ ...token, [FACTS_CLAIM]: { f: [["otp", 1]] } })],
    ["undefined", (token) => ({ ...token, former: undefined })],
  ])("rule 3: renews nothing when what callbacks.jwt returns is stored already: %s", async (_, answer) => {
    const { c } = await signedIn({ callbacks: afterSignIn(({ token }) => answer(token)) });
    expect((await read(c)).set).toEqual([]);
  });

  it("rule 3: sees a change in place, deep inside of the claims", async () => {
    const deepen = ({ token }: JWTCallbackParams) => {
      const { roles } = token;
      if (!Array.isArray(roles)) return { ...token, roles: ["reader"] };
      if (roles.length < 3) roles.push("writer");
      return token;
    };
    const { c } = await signedIn({ callbacks: afterSignIn(deepen) });
    for (const set of [1, 1, 1, 0]) expect((await read(c)).set).toHaveLength(set);
  });

  it("rule 3: keeps the id of the session while it is renewed, whatever the callback does to it", async () => {
    const { c, clock } = await signedIn({ callbacks: afterSignIn(({ token }) => ({ sub: token.sub, jti: "forged" })) });
    const before = await claimsOf(c);
    clock.advance({ days: 2 });
    await read(c);
    const after = await claimsOf(c);
    expect(after).toMatchObject({ sub: "7", jti: before?.jti, iat: Math.floor(clock.now() / 1000) });
  });

  it("rule 3: serves the session as it was when it cannot be renewed", async () => {
    let isBroken = false;
    const jwt = {
      encode: async (params: Parameters<typeof encode>[0]) => (isBroken ? Promise.reject("no") : encode(params)),
    };
    const { c, clock } = await signedIn({ jwt });
    const expires = new Date(clock.now() + 30 * DAY * 1000).toISOString();
    clock.advance({ days: 2 });
    isBroken = true;
    expect(await read(c)).toEqual({ body: expect.objectContaining({ expires }), status: 200, set: [] });
    expect(c.logs.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  it("rule 4: shows name, e-mail and image, and what callbacks.session adds; never the token", async () => {
    const given: unknown[] = [];
    const session: Callbacks["session"] = (params) => {
      given.push(Object.keys(params), Object.keys(params.session));
      return { ...params.session, id: params.token.sub };
    };
    const { c } = await signedIn({ callbacks: { session } });
    const { body } = await read(c);
    expect(body).toEqual({
      user: { name: "ann", email: "ann@example.com", image: null },
      expires: expect.any(String),
      id: "7",
    });
    expect(given).toEqual([
      ["session", "token"],
      ["user", "expires"],
    ]);
  });

  it.each([[null], [{}], [{ user: undefined, expires: undefined }], [{ role: () => "admin" }], [new Map()]])(
    "rule 4: has no session for a visitor to whom callbacks.session shows %o; the cookie stays",
    async (value) => {
      const { c } = await signedIn({ callbacks: { session: () => parseSession(value) } });
      expect(await read(c)).toEqual({ body: null, status: 200, set: [] });
      const request = new Request(`${ORIGIN}/`, { headers: { cookie: cookieHeader(c.browser) } });
      expect(await createAuth(c.config).auth(request)).toBe(null);
      expect(c.browser.cookies.get(COOKIE.session)).toBeDefined();
    },
  );

  it.each([[{ user: null }], [{ expires: "" }], [{ role: 0 }]])(
    "rule 4: has a session where callbacks.session shows %o",
    async (value) => {
      const { c } = await signedIn({ callbacks: { session: () => parseSession(value) } });
      expect((await read(c)).body).toEqual(value);
    },
  );

  it.each([[undefined], ["session"], [[]], [true]])(
    "rule 4: cannot say when callbacks.session returns %o",
    async (value) => {
      const { c } = await signedIn({ callbacks: { session: () => parseSession(value) } }, true);
      expect(await read(c)).toEqual({ body: null, status: 503, set: [] });
    },
  );

  it("rule 4: leaves the cookie alone when callbacks.session throws though renewal is due", async () => {
    const fail = (): never => {
      throw new Error("canary of callbacks.session");
    };
    const { c, clock } = await signedIn({ callbacks: { session: fail } }, true);
    clock.advance({ days: 2 });
    expect(await read(c)).toEqual({ body: null, status: 503, set: [] });
  });

  it("emits `session` with what the client sees and the claims", async () => {
    const { c } = await signedIn();
    await read(c);
    const event = c.events.find(({ name }) => name === "session");
    expect(event?.message).toEqual({
      session: expect.objectContaining({ user: expect.objectContaining({ name: "ann" }) }),
      token: expect.objectContaining({ sub: "7" }),
    });
  });
});

/** What a careless callback may return. */
function parseSession(value: unknown): { expires: string } {
  return value as { expires: string };
}
