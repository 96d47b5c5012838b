import { describe, expect, it } from "vitest";
import { decode, encode } from "../jwt.ts";
import type { AuthConfig, Callbacks, JWTCallbackParams } from "../model/config.ts";
import type { JWT } from "../model/records.ts";
import { BASE, type Case, COOKIE, installClock, ORIGIN, recordOf, SECRET, setUp } from "../safety/harness.ts";

const DAY = 24 * 60 * 60;
const SALT = "cardea.session-token";

/** A case of somebody who has just signed in, and the clock. */
async function signedIn(config: Partial<AuthConfig> = {}, mayFail = false) {
  const clock = installClock();
  const c = setUp({ config, mayFail });
  const visit = await c.signIn();
  return { c, clock, visit };
}

/** GET session: its body and the session cookies that it sets. */
async function read(c: Case): Promise<{ body: unknown; status: number; set: string[] }> {
  const { body, status, headers } = recordOf(await c.browser.fetch(`${BASE}/session`));
  return { body: JSON.parse(body), status, set: headers.getSetCookie() };
}

const update = async (c: Case, data: unknown) =>
  c.browser.fetch(`${BASE}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ csrfToken: await c.csrfToken(), data }),
  });

const claimsOf = (c: Case): Promise<JWT | null> =>
  decode({ token: c.browser.cookies.get(COOKIE.session)?.value, secret: SECRET, salt: SALT });

/** A callback that answers as the test says, from its second call on. */
function afterSignIn(answer: (params: JWTCallbackParams) => unknown): Callbacks {
  const jwt = (params: JWTCallbackParams) => parseClaims(params.trigger === "signIn" ? params.token : answer(params));
  return { jwt };
}

/** What a careless callback may return. */
function parseClaims(value: unknown): JWT | null {
  return value as JWT | null;
}

describe("read()", () => {
  it("rule 1: finds no session where there is no cookie, and sets none", async () => {
    const c = setUp();
    expect(await read(c)).toEqual({ body: null, status: 200, set: [] });
  });

  it("rule 2: gives callbacks.jwt the claims, and nothing of a sign-in", async () => {
    const seen: JWTCallbackParams[] = [];
    const { c } = await signedIn({ callbacks: afterSignIn((params) => (seen.push(params), params.token)) });
    await read(c);
    expect(seen).toEqual([{ token: expect.objectContaining({ sub: "7", name: "ann", email: "ann@example.com" }) }]);
  });

  it("rule 2: ends the session when callbacks.jwt returns null", async () => {
    const { c } = await signedIn({ callbacks: afterSignIn(() => null) });
    expect(await read(c)).toMatchObject({ body: null, status: 200, set: [expect.stringContaining("Max-Age=0")] });
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

  it("rule 4: has no session for a visitor to whom callbacks.session shows none; the cookie stays", async () => {
    const { c } = await signedIn({ callbacks: { session: () => parseSession(null) } });
    expect(await read(c)).toEqual({ body: null, status: 200, set: [] });
    expect(c.browser.cookies.get(COOKIE.session)).toBeDefined();
  });

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

describe("issue()", () => {
  it("gives callbacks.jwt name, e-mail, image and subject, with user, account and trigger", async () => {
    const seen: JWTCallbackParams[] = [];
    await signedIn({ callbacks: { jwt: (params) => (seen.push(params), params.token) } });
    expect(seen).toEqual([
      {
        token: { name: "ann", email: "ann@example.com", picture: null, image: null, sub: "7" },
        user: { id: "7", name: "ann", email: "ann@example.com" },
        account: { provider: "credentials", type: "credentials", providerAccountId: "7" },
        profile: undefined,
        trigger: "signIn",
        isNewUser: false,
      },
    ]);
  });

  it("refuses the sign-in when callbacks.jwt returns null", async () => {
    const { visit, c } = await signedIn({ callbacks: { jwt: () => null } });
    expect(visit.redirectsTo).toBe(`${ORIGIN}${BASE}/error?error=AccessDenied`);
    expect(c.browser.cookies.get(COOKIE.session)).toBeUndefined();
  });

  it("gives each sign-in an id of its own, whatever the callback returns", async () => {
    const ids = new Set<string | undefined>();
    for (let n = 0; n < 3; n++) {
      const { c } = await signedIn({ callbacks: { jwt: ({ token }) => ({ ...token, jti: "chosen" }) } });
      ids.add((await claimsOf(c))?.jti);
    }
    expect(ids.size).toBe(3);
    expect(ids).not.toContain("chosen");
  });

  it("lives as long as jwt.maxAge says, before session.maxAge", async () => {
    const { c, clock } = await signedIn({ session: { maxAge: 3600 }, jwt: { maxAge: 60 } });
    expect(await claimsOf(c)).toMatchObject({ exp: Math.floor(clock.now() / 1000) + 60 });
    expect(c.browser.cookies.get(COOKIE.session)?.expires).toBe(clock.now() + 60_000);
  });
});

describe("update()", () => {
  it("gives callbacks.jwt the trigger and what was sent, and answers the session after it", async () => {
    const seen: unknown[] = [];
    const jwt = ({ token, trigger, session }: JWTCallbackParams) => {
      seen.push([trigger, session]);
      return trigger === "update" ? { ...token, name: String(Object(session).name) } : token;
    };
    const { c } = await signedIn({ callbacks: { jwt } });
    const visit = await update(c, { name: "Beth" });
    expect(await visit.json()).toMatchObject({ user: { name: "Beth" } });
    expect(seen[1]).toEqual(["update", { name: "Beth" }]);
    expect((await read(c)).body).toMatchObject({ user: { name: "Beth" } });
  });

  it("changes nothing by itself: without callbacks.jwt what was sent is nobody's", async () => {
    const { c } = await signedIn();
    expect(await (await update(c, { user: { id: "admin", name: "Mallory" } })).json()).toMatchObject({
      user: { name: "ann" },
    });
    expect(await claimsOf(c)).toMatchObject({ sub: "7", name: "ann" });
  });

  it("ends the session when callbacks.jwt returns null", async () => {
    const { c } = await signedIn({ callbacks: afterSignIn(() => null) });
    expect(await (await update(c, {})).json()).toBe(null);
    expect(c.browser.cookies.get(COOKIE.session)).toBeUndefined();
  });

  it("keeps the session as it was when a callback throws", async () => {
    for (const name of ["jwt", "session"] as const) {
      const fail = (params: { trigger?: string | undefined; token: JWT }) => {
        if (params.trigger === "update") throw new Error("canary of a callback");
        return name === "jwt" ? params.token : { expires: "" };
      };
      const { c } = await signedIn({ callbacks: { [name]: fail } }, true);
      const visit = recordOf(await update(c, {}));
      expect([visit.status, visit.body, visit.headers.getSetCookie()]).toEqual([503, "null", []]);
    }
  });

  it("is null for somebody who is not signed in", async () => {
    const c = setUp();
    expect(await (await update(c, { name: "x" })).json()).toBe(null);
    expect(c.browser.cookies.get(COOKIE.session)).toBeUndefined();
  });
});

describe("an application's own encode and decode", () => {
  it("are used for every token, with secret, salt and life", async () => {
    const given: unknown[] = [];
    const jwt: AuthConfig["jwt"] = {
      encode: ({ token, ...rest }) => (
        given.push(rest), `own-${JSON.stringify(token)}`.replaceAll('"', "'").replaceAll(",", "|")
      ),
      decode: ({ token = "" }) => parseClaims(JSON.parse(token.slice(4).replaceAll("'", '"').replaceAll("|", ","))),
    };
    const { c } = await signedIn({ jwt });
    expect((await read(c)).body).toMatchObject({ user: { name: "ann" } });
    expect(given).toEqual([{ secret: [SECRET], salt: SALT, maxAge: 30 * DAY }]);
  });

  it("end no session by an outage: when decode throws there is none, and the cookie stays", async () => {
    let isBroken = false;
    const jwt: AuthConfig["jwt"] = {
      decode: (params) => (isBroken ? Promise.reject(new Error("down")) : decode(params)),
    };
    const { c } = await signedIn({ jwt });
    isBroken = true;
    expect(await read(c)).toEqual({ body: null, status: 200, set: [] });
    isBroken = false;
    expect((await read(c)).body).toMatchObject({ user: { name: "ann" } });
  });

  it.each([[undefined], [false], ["claims"], [7], [[]], [["x"]]])("let nobody in with the claims %o", async (value) => {
    const { c } = await signedIn({ jwt: { decode: () => parseClaims(value) } });
    expect(await read(c)).toMatchObject({ body: null, status: 200 });
  });
});
