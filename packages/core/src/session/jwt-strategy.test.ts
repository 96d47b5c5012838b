import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BASE, COOKIE, ORIGIN, recordOf, SECRET, setUp } from "../../test/harness/harness.ts";
import {
  afterSignIn,
  claimsOf,
  DAY,
  keep,
  parseClaims,
  read,
  SALT,
  signedIn,
  update,
} from "../../test/harness/session-journeys.ts";
import { decode } from "../jwt.ts";
import type { JWTCallbackParams } from "../model/callbacks.ts";
import type { AuthConfig } from "../model/config.ts";
import type { JWT } from "../model/records.ts";

const pick = (claims: JWT | null) => ({ sub: claims?.sub, jti: claims?.jti, iat: claims?.iat, exp: claims?.exp });

describe("issue()", () => {
  it("gives callbacks.jwt name, e-mail, image and subject, with user, account and trigger", async () => {
    const seen: JWTCallbackParams[] = [];
    await signedIn({ callbacks: { jwt: keep(seen) } });
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

  it("changes nothing by itself: without callbacks.jwt what was sent is no one's", async () => {
    const { c } = await signedIn();
    expect(await (await update(c, { user: { id: "admin", name: "Mallory" } })).json()).toMatchObject({
      user: { name: "ann" },
    });
    expect(await claimsOf(c)).toMatchObject({ sub: "7", name: "ann" });
  });

  it("keeps user, id and times of the session, whatever the browser sent and callbacks.jwt merged", async () => {
    const seen: unknown[] = [];
    const merge = ({ token, session }: JWTCallbackParams) => ({ ...token, ...Object(session) });
    const session: AuthConfig["callbacks"] = {
      ...afterSignIn(merge),
      session: ({ session, token }) => {
        seen.push(token.sub);
        return session;
      },
    };
    const { c } = await signedIn({ callbacks: session });
    const before = await claimsOf(c);
    const claim = fc.oneof(fc.jsonValue(), fc.constantFrom("8", 7, "admin", 1e21, -1, null));
    await fc.assert(
      fc.asyncProperty(
        fc.record({ sub: claim, jti: claim, iat: claim, exp: claim, nbf: claim, role: claim }, { requiredKeys: [] }),
        async (data) => {
          await update(c, data);
          const { sub, jti, iat, exp, nbf } = (await claimsOf(c)) ?? {};
          expect({ sub, jti, iat, exp, nbf }).toEqual({ ...pick(before), nbf: undefined });
        },
      ),
      { numRuns: 40 },
    );
    expect(new Set(seen)).toEqual(new Set(["7"]));
  });

  it("keeps the user of the session at a read, too", async () => {
    const { c } = await signedIn({
      callbacks: afterSignIn(({ token }) => ({ ...token, sub: "8", jti: "x", seen: 1 })),
    });
    const before = await claimsOf(c);
    await read(c);
    expect(await claimsOf(c)).toMatchObject({ ...pick(before), seen: 1 });
  });

  it("gives no user to a session that has none", async () => {
    const callbacks = {
      jwt: ({ token: { sub: _, ...rest }, trigger, session }: JWTCallbackParams) =>
        trigger === "signIn" ? rest : { ...rest, ...Object(session) },
    };
    const { c } = await signedIn({ callbacks });
    await update(c, { sub: "admin" });
    expect(await claimsOf(c)).not.toHaveProperty("sub");
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

  it("is null for a user who is not signed in", async () => {
    const c = setUp();
    expect(await (await update(c, { name: "x" })).json()).toBe(null);
    expect(c.browser.cookies.get(COOKIE.session)).toBeUndefined();
  });
});

describe("an application's own encode and decode", () => {
  it("are used for every token, with secret, salt and life", async () => {
    const given: unknown[] = [];
    const jwt: AuthConfig["jwt"] = {
      encode: ({ token, ...rest }) => {
        given.push(rest);
        return encodeURIComponent(JSON.stringify({ ...token, iat: Math.floor(Date.now() / 1000) }));
      },
      decode: ({ token = "" }) => parseClaims(JSON.parse(decodeURIComponent(token))),
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

  it.each([[undefined], [false], ["claims"], [7], [[]], [["x"]]])("let no one in with the claims %o", async (value) => {
    const { c } = await signedIn({ jwt: { decode: () => parseClaims(value) } });
    expect(await read(c)).toMatchObject({ body: null, status: 200 });
  });
});
