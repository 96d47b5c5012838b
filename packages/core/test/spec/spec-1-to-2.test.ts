/** Sections 1 and 2 of the specification: what the service is, and its records. */

import { createAuth } from "@cardea/core";
import { MissingSecretError } from "@cardea/core/errors";
import { decode } from "@cardea/core/jwt";
import type {
  Account,
  CookiesOptions,
  JWTCallbackParams,
  Profile,
  SignInCallbackParams,
  TokenSet,
} from "@cardea/core/types";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it, vi } from "vitest";
import { BASE, type Case, COOKIE, cookieHeader, installClock, ORIGIN, SECRET, setUp } from "../harness/harness.ts";
import { attempt, begin, expectSignedIn, OAUTH2 } from "../harness/oauth-journeys.ts";
import { setUpPasskeys } from "../harness/passkey-app.ts";

const ADA = { name: "Ada Lovelace", email: "ada@example.com", image: "https://op.example.com/ada.png" };
const CLIENT = { clientId: undefined, clientSecret: undefined };

/** What an application says to the cookies of another one's browser. */
async function sessionSeenBy(app: Case, browser: Case["browser"]): Promise<unknown> {
  return (await app.send(`${BASE}/session`, { headers: { cookie: cookieHeader(browser) } })).json();
}

describe("section 1", () => {
  it("spec 1 a configuration, or a function of the request that makes one, gives the same five members", async () => {
    const { config } = setUp();
    const asked: (Request | undefined)[] = [];
    const lazy = createAuth((request) => {
      asked.push(request);
      return config;
    });
    const request = new Request(`${ORIGIN}${BASE}/providers`);
    for (const auth of [createAuth(config), lazy]) {
      expect(Object.keys(auth).sort()).toEqual(["auth", "handlers", "signIn", "signOut", "unstable_update"]);
      expect(await (await auth.handlers.GET(request)).json()).toMatchObject([{ id: "op" }, { id: "credentials" }]);
    }
    expect(asked).toHaveLength(1);
    expect(asked[0]).toBe(request);
  });

  it("spec 1 AUTH_SECRET is the secret where the configuration has none", async () => {
    vi.stubEnv("AUTH_SECRET", SECRET);
    const c = setUp({ config: { secret: undefined } });
    await c.signIn();
    expect(await sessionSeenBy(setUp(), c.browser)).toMatchObject({ user: { name: "ann" } });
    const other = setUp({ config: { secret: "another secret of more than thirty-two bytes" } });
    expect(await sessionSeenBy(other, c.browser)).toBe(null);
  });

  it("spec 1 AUTH_SECRET missing in production stops the start", () => {
    vi.stubEnv("NODE_ENV", "production");
    vi.stubEnv("AUTH_SECRET", "");
    expect(() => createAuth({ providers: [] })).toThrow(MissingSecretError);
    vi.stubEnv("AUTH_SECRET", SECRET);
    vi.stubEnv("AUTH_URL", "https://public.example.com");
    expect(() => createAuth({ providers: [] })).not.toThrow();
  });

  it("spec 1 AUTH_URL fixes origin and base path, whatever the request says", async () => {
    vi.stubEnv("AUTH_URL", "https://public.example.com/identity");
    const c = setUp({ config: { basePath: undefined } });
    const answer = await c.send("https://internal.example:8080/identity/providers");
    expect(await answer.json()).toMatchObject([
      { signinUrl: "https://public.example.com/identity/signin/op" },
      { callbackUrl: "https://public.example.com/identity/callback/credentials" },
    ]);
  });

  it("spec 1 AUTH_REDIRECT_PROXY_URL is the default of redirectProxyUrl", async () => {
    vi.stubEnv("AUTH_REDIRECT_PROXY_URL", "https://proxy.example.com/auth");
    const redirectUri = async (c: Case) => (await begin(c)).searchParams.get("redirect_uri");
    expect(await redirectUri(setUp())).toBe("https://proxy.example.com/auth/callback/op");
    const own = setUp({ config: { redirectProxyUrl: "https://own.example.com/auth" } });
    expect(await redirectUri(own)).toBe("https://own.example.com/auth/callback/op");
  });

  it("spec 1 AUTH_PROVIDER: client id and secret come from the variables of the provider's id", async () => {
    vi.stubEnv("AUTH_MY_OP_ID", "cid-of-env");
    vi.stubEnv("AUTH_MY_OP_SECRET", "canary-secret-of-the-environment");
    const op = { clientId: "cid-of-env", clientSecret: "canary-secret-of-the-environment" };
    const c = setUp({ op, provider: { id: "my-op", ...CLIENT } });
    const page = await c.browser.navigate(`${BASE}/signin`);
    await c.browser.submit(page, { action: `${BASE}/signin/my-op`, follow: "all" });
    expect(await c.session()).toMatchObject({ user: ADA });
  });

  it.each([
    ["OpenID Connect", {}],
    ["OAuth 2", OAUTH2],
  ])("spec 1.1 people sign in through %s", async (_, options) => {
    const c = setUp(options);
    await expectSignedIn(c, await attempt(c));
    expect(c.op.issued.idTokens).toHaveLength(options === OAUTH2 ? 0 : 1);
  });

  it("spec 1.1 people sign in with credentials", async () => {
    const c = setUp();
    await c.signIn({ password: "wrong" });
    expect(await c.session()).toBe(null);
    await c.signIn();
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
  });

  it("spec 1.2 a session is an encrypted token in a cookie", async () => {
    const c = setUp();
    await c.signIn();
    const token = c.browser.cookies.get(COOKIE.session)?.value ?? "";
    const parts = token.split(".").map((part) => Buffer.from(part, "base64url").toString());
    expect(JSON.parse(parts[0] ?? "")).toMatchObject({ alg: "dir", enc: expect.any(String) });
    expect(parts).toHaveLength(5);
    expect(parts.join()).not.toContain("ann");
    const params = { token, salt: COOKIE.session };
    expect(await decode({ ...params, secret: SECRET })).toMatchObject({ name: "ann", sub: "7" });
    expect(await decode({ ...params, secret: `${SECRET}x` })).toBe(null);
  });

  it.each(["/auth", "/identity/v2"])("spec 1.3 the actions live under the base path %s", async (basePath) => {
    const c = setUp({ config: { basePath } });
    const answer = await c.send(`${basePath}/providers`);
    expect(await answer.json()).toMatchObject([{ signinUrl: `${ORIGIN}${basePath}/signin/op` }, {}]);
    expect((await c.send(`${BASE}/providers`)).status).toBe(404);
  });

  it("spec 1.5 callbacks decide", async () => {
    const c = setUp({ config: { callbacks: { signIn: ({ user }) => user.name !== "ann" } } });
    await c.signIn();
    expect(await c.session()).toBe(null);
    await c.signIn({ username: "bob" });
    expect(await c.session()).toMatchObject({ user: { name: "bob" } });
  });

  it("spec 1.5 event handlers only observe, even those that throw", async () => {
    const observed: unknown[] = [];
    const signIn = ({ user }: { user: unknown }) => {
      observed.push(user);
      throw new Error("the audit log is full");
    };
    const c = setUp({ config: { events: { signIn } } });
    expect((await c.signIn()).redirectsTo).toBe(`${ORIGIN}/`);
    expect(observed).toMatchObject([{ name: "ann" }]);
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
  });
});

describe("section 2", () => {
  it("spec 2.1 spec 2.6 spec 3 signIn: user, account and profile reach the callbacks", async () => {
    const claims = {
      address: { country: "GB" },
      birthdate: "1815-12-10",
      "https://op.example.com/roles": ["countess"],
    };
    const user = { sub: "user-subject-1815", name: ADA.name, email: ADA.email, picture: ADA.image, ...claims };
    const signIns: SignInCallbackParams[] = [];
    const tokens: JWTCallbackParams[] = [];
    const jwt = (params: JWTCallbackParams) => {
      tokens.push(params);
      return params.token;
    };
    const callbacks = { signIn: (params: SignInCallbackParams) => signIns.push(params) > 0, jwt };
    const authorization = { params: { scope: "openid profile email address" } };
    const c = setUp({ op: { user }, provider: { authorization }, config: { callbacks } });
    await expectSignedIn(c, await attempt(c));
    const account = { provider: "op", providerAccountId: "user-subject-1815" };
    expect(signIns).toMatchObject([{ account, profile: { sub: "user-subject-1815", ...claims } }]);
    expect(tokens[0]).toMatchObject({ trigger: "signIn", account, profile: claims, token: { name: ADA.name } });
    for (const seen of [signIns[0]?.user, tokens[0]?.user]) expect(seen).toEqual({ id: expect.any(String), ...ADA });
    expect(tokens.slice(1).map((params) => [params.trigger, params.account])).toEqual([[undefined, undefined]]);
  });

  it("spec 2.2 a session is expiry, name, e-mail and image; more only by the session callback", async () => {
    installClock("2030-01-01T00:00:00Z");
    const plain = setUp();
    await attempt(plain);
    expect(await plain.session()).toEqual({ user: ADA, expires: "2030-01-31T00:00:00.000Z" });
    const c = setUp({ config: { callbacks: { session: ({ session, token }) => ({ ...session, id: token.sub }) } } });
    await attempt(c);
    expect(await c.session()).toEqual({ user: ADA, expires: expect.any(String), id: expect.stringMatching(/./) });
  });

  it("spec 2.3 spec 2.4 the token answer, its type in lower case and with expires_at, is in the account", async () => {
    const clock = installClock("2030-01-01T00:00:00Z");
    const accounts: SignInCallbackParams["account"][] = [];
    const tokenSets: TokenSet[] = [];
    const profile = ({ sub }: Profile, tokens: TokenSet) => {
      tokenSets.push(tokens);
      return { id: sub ?? undefined };
    };
    const signIn = ({ account }: SignInCallbackParams) => accounts.push(account) > 0;
    const c = setUp({ config: { callbacks: { signIn } }, provider: { profile } });
    c.op.script = { token: { patch: { set: { token_type: "BeArEr", expires_in: 600, scope: "openid x" } } } };
    await expectSignedIn(c, await attempt(c));
    const [[access_token], [id_token]] = [c.op.issued.accessTokens, c.op.issued.idTokens];
    const tokens = { access_token, id_token, scope: "openid x", token_type: "bearer" };
    const expires_at = clock.now() / 1000 + 600;
    expect(tokenSets).toMatchObject([{ ...tokens, expires_in: 600, expires_at }]);
    const ids = { provider: "op", type: "oidc", providerAccountId: "user-subject-1815" };
    expect(accounts).toMatchObject([{ ...ids, ...tokens, expires_at }]);
  });

  it.each(["jwt", "database"] as const)(
    "spec 2.3 the owner of an account is the stored user, and absent before there is one, with sessions as %s",
    async (strategy) => {
      let seen: [place: string, userId: string | undefined][] = [];
      const see = (place: string, account: Account | null | undefined) =>
        account ? seen.push([place, account.userId]) > 0 : false;
      const ann = { id: "7", name: "ann", email: null, emailVerified: null };
      const c = setUpPasskeys({
        ...{ strategy, memory: createMemoryAdapter({ seed: { users: [ann] } }) },
        config: {
          callbacks: {
            signIn: ({ account }) => see("callback", account),
            jwt: ({ token, account }) => ({ ...token, ...(see("jwt", account) ? {} : {}) }),
          },
          events: {
            signIn: ({ account }) => void see("signIn", account),
            linkAccount: ({ account }) => void see("linkAccount", account),
          },
        },
      });
      /** What was seen of one sign-in, in the browser of a visitor. */
      const during = async (signIn: () => Promise<unknown>) => {
        c.browser.cookies.clear();
        seen = [];
        await signIn();
        return seen;
      };
      const mail = async () => {
        await c.post(`${BASE}/signin/email`, { email: "bob@example.com" });
        return c.open();
      };
      const issued = (userId: string) => [...(strategy === "jwt" ? [["jwt", userId]] : []), ["signIn", userId]];
      const newest = () => c.memory.snapshot().users.at(-1)?.id ?? "";
      for (const [signIn, calls, links] of [
        [mail, 2, false],
        [() => c.signInWithOp(), 1, true],
        [() => c.register("email=cleo@example.com"), 1, true],
      ] as const) {
        const first = await during(signIn);
        const linked = links ? [["linkAccount", newest()]] : [];
        expect(first).toEqual([...Array(calls).fill(["callback", undefined]), ...linked, ...issued(newest())]);
      }
      for (const [signIn, calls] of [
        [mail, 2],
        [() => c.signInWithOp(), 1],
        [() => c.authenticate(), 1],
      ] as const) {
        const again = await during(signIn);
        const [, owner = ""] = again[0] ?? [];
        expect(c.memory.snapshot().users.map(({ id }) => id)).toContain(owner);
        expect(again).toEqual([...Array(calls).fill(["callback", owner]), ...issued(owner)]);
      }
      expect(await during(() => c.signIn())).toEqual([["callback", undefined], ...issued("7")]);
    },
  );

  it("spec 2.8 an answer has body, cookies, headers and status, or a redirect", async () => {
    const c = setUp();
    const answer = await c.send(`${BASE}/csrf`);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "private, no-cache, no-store"]);
    expect(answer.headers.getSetCookie()).toEqual([expect.stringContaining(`${COOKIE.csrf}=`)]);
    expect(await answer.json()).toEqual({ csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const redirect = await c.post(`${BASE}/signin/op`);
    expect([redirect.status, await redirect.text()]).toEqual([302, ""]);
    expect(redirect.redirectsTo).toMatch(/^https:\/\/op\.example\.com\/authorize\?/);
    expect(redirect.headers.getSetCookie().length).toBeGreaterThan(1);
  });

  it("spec 2.9 a theme has two colours, scheme and logo", async () => {
    const themed = {
      brandColor: "#bada55",
      buttonText: "#102030",
      colorScheme: "dark",
      logo: "/our-logo.svg",
    } as const;
    const page = async (config: object) => (await setUp({ config }).send(`${BASE}/signin`)).text();
    const shown = [
      /186,? 218,? 85|#bada55/,
      /16,? 32,? 48|#102030/,
      /{color-scheme: ?dark\b/,
      /src="[^"]*\/our-logo\.svg"/,
    ];
    const [own, plain] = [await page({ theme: themed }), await page({})];
    for (const pattern of shown) {
      expect(own).toMatch(pattern);
      expect(plain).not.toMatch(pattern);
    }
  });

  it("spec 2.10 each of the cookies can be renamed and given other attributes", async () => {
    const keys = ["sessionToken", "sessionMark", "callbackUrl", "csrfToken", "state"] as const;
    const all = [...keys, "pkceCodeVerifier", "nonce", "webauthnChallenge"] as const;
    const cookies: CookiesOptions = Object.fromEntries(
      all.map((key) => [key, { name: `our-${key}`, options: { priority: "high" } }]),
    );
    const c = setUp({ config: { cookies }, provider: { checks: ["pkce", "state", "nonce"] } });
    await expectSignedIn(c, await attempt(c));
    const passkeys = setUpPasskeys({ config: { cookies } });
    await passkeys.ask("action=register&email=ann@example.com");
    const lines = [...c.visits, ...passkeys.visits].flatMap(({ headers }) => headers.getSetCookie());
    const names = [...keys, "webauthnChallenge"].map((key) => `our-${key}`);
    expect(new Set(lines.map((line) => line.split(/[=.]/)[0]))).toEqual(new Set(names));
    for (const line of lines) expect(line).toContain("Priority=High");
  });
});
