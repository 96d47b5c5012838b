import type { Profile } from "@cardea/core/types";
import { describe, expect, it } from "vitest";
import { type CaseOptions, CLIENT_SECRET } from "../harness/fixture.ts";
import { setUp } from "../harness/harness.ts";
import { attempt, expectNoSignIn, expectSignedIn, OAUTH2, setUpWired, start } from "../harness/oauth-journeys.ts";

/** What a hostile server sends beside the honest members, as text: a literal would set the prototype. */
const POLLUTION = '"__proto__":{"id":"evil","sub":"evil","admin":true},"constructor":{"prototype":{"admin":true}}';
const polluted = JSON.parse(`{${POLLUTION}}`);

/** A mapper that does not keep its type's promise. */
function profileReturning(value: unknown) {
  return { provider: { profile: () => parseUser(value) } };
}

function parseUser(value: unknown): { id: string } {
  return value as { id: string };
}

describe("oauth callback: the profile", () => {
  it.each([
    ['{"sub":"victim","sub":"user-subject-1815"}'],
    ['{"sub":"user-subject-1815","email":"victim@example.com","email_verified":true,"email":"a@example.com"}'],
    ['{"sub":"user-subject-1815","email_verified":true,"email_verif\\u0069ed":false}'],
    ['{"id":1,"id":2,"sub":"user-subject-1815"}'],
  ])("refuses userinfo that names a member twice: %s", async (raw) => {
    for (const options of [{ provider: { idToken: false } }, OAUTH2]) {
      const c = setUp(options);
      c.op.script = { userinfo: { raw } };
      await expectNoSignIn(c, await attempt(c));
    }
  });

  it("takes names for repeated in one object only", async () => {
    const c = setUp({ provider: { idToken: false } });
    c.op.script = {
      userinfo: { raw: '{"sub":"user-subject-1815","name":"sub","a":{"sub":"x"},"b":[{"sub":1},{"sub":1}]}' },
    };
    await expectSignedIn(c, await attempt(c));
  });

  it("refuses an answer of the token endpoint that names a member twice", async () => {
    const c = setUp(OAUTH2);
    c.op.script = { token: { raw: '{"access_token":"one","token_type":"Bearer","access_token":"two"}' } };
    await expectNoSignIn(c, await attempt(c));
  });

  it("refuses an answer that names a member twice of a provider that makes its requests itself", async () => {
    const ORIGIN_OF_OP = "https://op.example.com";
    const provider: NonNullable<CaseOptions["provider"]> = {
      ...OAUTH2.provider,
      token: {
        url: `${ORIGIN_OF_OP}/token`,
        request: async ({ params, checks, provider, fetch }) => {
          const body = new URLSearchParams({
            ...{ grant_type: "authorization_code", client_id: provider.clientId ?? "", client_secret: CLIENT_SECRET },
            ...{ code: params.code ?? "", code_verifier: checks.code_verifier ?? "" },
            redirect_uri: provider.callbackUrl,
          });
          return (await fetch(`${ORIGIN_OF_OP}/token`, { method: "POST", body })).json();
        },
      },
      userinfo: {
        url: `${ORIGIN_OF_OP}/userinfo`,
        request: async ({ tokens, fetch }) => {
          const headers = { authorization: `Bearer ${tokens.access_token}` };
          return (await fetch(`${ORIGIN_OF_OP}/userinfo`, { headers })).json();
        },
      },
    };
    const twiceAt = (path: string) =>
      setUpWired(
        async (honest, url, init) => {
          const answer = await honest(url, init);
          if (!url.endsWith(path)) return answer;
          return new Response(
            (await answer.text()).replace("{", '{"sub":"victim","access_token":"x","sub":"other",'),
            answer,
          );
        },
        { ...OAUTH2, provider },
      );
    const honest = twiceAt("/none");
    await expectSignedIn(honest, await attempt(honest));
    for (const path of ["/token", "/userinfo"]) {
      const c = twiceAt(path);
      await expectNoSignIn(c, await attempt(c));
    }
  });

  it.each<[string, () => never | Promise<never>]>([
    [
      "throws",
      () => {
        throw new Error("canary of profile()");
      },
    ],
    ["rejects", () => Promise.reject(new TypeError("canary of profile()"))],
    ["rejects with a string", () => Promise.reject("canary of profile()")],
    ["rejects with nothing", () => Promise.reject(undefined)],
    ["rejects with a frozen error", () => Promise.reject(Object.freeze(new Error("canary of profile()")))],
  ])("H114 shows OAuthCallbackError when profile() %s, without code, state or words of it", async (_, profile) => {
    const c = setUp({ provider: { profile } });
    const visit = await attempt(c);
    await expectNoSignIn(c, visit);
    expect(visit.redirectsTo).not.toMatch(/code|state|canary/);
  });

  it.each([[null], [undefined], [false], ["user"], [7], [[]], [{}], [{ id: "" }], [{ id: null }], [{ id: {} }]])(
    "H114 H111 refuses a profile() that returns %o",
    async (value) => {
      const c = setUp(profileReturning(value));
      await expectNoSignIn(c, await attempt(c));
    },
  );

  it.each([[["a@example.com"]], [{ address: "a@example.com" }], [7], [true], [null], [""], ["   "]])(
    "H115 takes the e-mail %o for none",
    async (email) => {
      const seen: unknown[] = [];
      for (const options of [{}, { provider: { idToken: false } }, OAUTH2]) {
        const signIn = ({ user }: { user: { email?: unknown } }) => seen.push(user.email) > 0;
        const c = setUp({ ...options, config: { callbacks: { signIn } } });
        c.op.user = { sub: "1815", id: 1815, email };
        await expectSignedIn(c, await attempt(c));
        expect(await c.session()).toMatchObject({ user: { email: null } });
      }
      expect(seen).toEqual([null, null, null]);
    },
  );

  it("H115 takes an e-mail as it is meant: trimmed, in lower case", async () => {
    const c = setUp();
    c.op.user = { sub: "1815", email: "  Ada@Example.COM " };
    await expectSignedIn(c, await attempt(c));
    expect(await c.session()).toMatchObject({ user: { email: "ada@example.com" } });
  });

  it.each([[["Ada"]], [{ first: "Ada" }], [7]])("H115 survives the name and the picture %o", async (value) => {
    const c = setUp();
    c.op.user = { sub: "1815", name: value, picture: value };
    await expectSignedIn(c, await attempt(c));
  });

  it.each(["discovery", "jwks", "token", "userinfo"] as const)("H117 is not polluted by %s", async (endpoint) => {
    const profiles: (Profile | undefined)[] = [];
    const signIn = ({ profile }: { profile?: Profile | undefined }) => profiles.push(profile) > 0;
    const c = setUp({ provider: { idToken: false }, config: { callbacks: { signIn } } });
    c.op.script = { [endpoint]: { patch: { set: polluted } } };
    await expectSignedIn(c, await attempt(c));
    expect(Object.prototype).not.toHaveProperty("admin");
    expect(profiles).toHaveLength(1);
    expect([profiles[0]?.sub, profiles[0]?.id, profiles[0]?.admin]).toEqual([
      "user-subject-1815",
      undefined,
      undefined,
    ]);
  });

  it("H117 is not polluted by an ID token", async () => {
    const tokens: unknown[] = [];
    const jwt = ({ token }: { token: Record<string, unknown> }) => {
      tokens.push(token.sub, token.admin);
      return token;
    };
    const c = setUp({ config: { callbacks: { jwt } } });
    c.op.script = { idToken: { claims: { set: polluted }, header: { set: polluted } } };
    await expectSignedIn(c, await attempt(c));
    expect(Object.prototype).not.toHaveProperty("admin");
    expect(tokens.slice(0, 2)).toEqual(["op|user-subject-1815", undefined]);
  });

  it("H117 does not take an identity from a prototype: without an id of its own the profile is refused", async () => {
    const c = setUp(OAUTH2);
    c.op.script = { userinfo: { raw: `{"name":"Eve",${POLLUTION}}` } };
    await expectNoSignIn(c, await attempt(c));
  });

  it("H117 does not take endpoints from a prototype", async () => {
    const c = setUp();
    const raw = `{"issuer":"${c.op.issuer}","__proto__":{"authorization_endpoint":"https://evil.example"}}`;
    c.op.script = { discovery: { raw, headers: { "content-type": "application/json" } } };
    expect((await start(c)).redirectsTo).toContain("error=OAuthSignin");
  });
});
