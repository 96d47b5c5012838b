/** Who a provider or an application says it is, read exactly: ids that lose no digit, addresses that no one else vouches for. */

import type { OAuth2Provider, OAuthProvider } from "@cardea/core/providers";
import type { JWTCallbackParams, Profile, TokenSet } from "@cardea/core/types";
import { describe, expect, it } from "vitest";
import { secondProvider, setUpDatabase } from "../harness/database-app.ts";
import type { CaseOptions } from "../harness/fixture.ts";
import { BASE, ORIGIN, setUp } from "../harness/harness.ts";
import { attempt, expectNoSignIn, expectSignedIn, OAUTH2 } from "../harness/oauth-journeys.ts";

/** The account of the scripted provider's user. */
const OWN = { provider: "op", type: "oidc", providerAccountId: "user-subject-1815" } as const;

const BIG = "9007199254740993";
const RAW = `{"id":${BIG},"name":"Ada","nested":{"id":${BIG}}}`;

/** The account of a sign-in at an OAuth 2 provider whose answers are these texts. */
async function accountOf(provider: Partial<OAuth2Provider>, script: object = { userinfo: { raw: RAW } }) {
  const seen: (string | undefined)[] = [];
  const signIn = ({ account }: { account?: { providerAccountId: string } | null | undefined }) =>
    seen.push(account?.providerAccountId) > 0;
  const c = setUp({
    ...OAUTH2,
    provider: { ...OAUTH2.provider, ...provider } as Partial<OAuthProvider>,
    config: { callbacks: { signIn } },
  });
  c.op.script = script;
  const visit = await attempt(c);
  return { c, visit, id: seen[0] };
}

const TOKEN_URL = "https://op.example.com/token";
const USERINFO_URL = "https://op.example.com/userinfo";

describe("a numeric id beyond 2^53", () => {
  it.each<[string, Partial<OAuth2Provider>]>([
    ["the default mapper", {}],
    ["profile() that passes it on", { profile: ({ id }) => ({ id: String(id) }) }],
    ["profile() that reads a nested member", { profile: ({ nested }) => ({ id: Object(nested).id }) }],
    [
      "a hook that uses the fetch it is given",
      {
        userinfo: {
          url: USERINFO_URL,
          request: async ({ tokens, fetch }) =>
            (await fetch(USERINFO_URL, { headers: { authorization: `Bearer ${tokens.access_token}` } })).json(),
        },
      },
    ],
    [
      "a hook that rewrites the answer",
      {
        userinfo: {
          url: USERINFO_URL,
          conform: async (answer) => Response.json({ ...(await answer.json()), id: undefined, sub: "" }),
        },
        profile: ({ nested }) => ({ id: Object(nested).id }),
      },
    ],
  ])("keeps every digit: %s", async (_, provider) => {
    const { c, visit, id } = await accountOf(provider);
    await expectSignedIn(c, visit);
    expect(id).toBe(BIG);
  });

  it("keeps every digit of a token answer", async () => {
    const profile = (_: Profile, tokens: TokenSet) => ({ id: String(tokens.user_id) });
    const raw = `{"access_token":"opaque","token_type":"bearer","user_id":${BIG}}`;
    const script = {
      token: { raw, headers: { "content-type": "application/json" } },
      userinfo: { raw: "{}", status: 200 },
    };
    const { c, visit, id } = await accountOf({ profile, userinfo: { request: async () => ({ sub: "x" }) } }, script);
    await expectSignedIn(c, visit);
    expect(id).toBe(BIG);
  });

  it.each<[string, Partial<OAuth2Provider>]>([
    ["userinfo.request", { userinfo: { request: async () => JSON.parse(RAW) } }],
    ["userinfo.conform", { userinfo: { url: USERINFO_URL, conform: () => Response.json(JSON.parse(RAW)) } }],
    [
      "token.conform",
      { token: { url: TOKEN_URL, conform: () => Response.json({ ...JSON.parse(RAW), access_token: "a" }) } },
    ],
    ["token.request", { token: { url: TOKEN_URL, request: async () => ({ ...JSON.parse(RAW), access_token: "a" }) } }],
  ])("is refused where %s has lost a digit already", async (_, provider) => {
    const { c, visit } = await accountOf({ profile: ({ id }) => ({ id: String(id) }), ...provider });
    await expectNoSignIn(c, visit);
  });
});

const NOT_IDS: readonly [string, unknown][] = [
  ...[2 ** 53, 1e21, 1.5, Number.NaN, Number.NEGATIVE_INFINITY, -0].map((id): [string, unknown] => [
    `number ${id}`,
    id,
  ]),
  ...["undefined", "null", "NaN", "[object Object]", "1e+21", " 7", "7\u0000", "x".repeat(256)].map(
    (id): [string, unknown] => [`text ${JSON.stringify(id).slice(0, 20)}`, id],
  ),
  ["a promise", Promise.resolve("7")],
  ["a list", ["7"]],
  ["an object", { toString: () => "7" }],
  ["a String object", new String("7")],
  ["a function", () => "7"],
];

/** What is not a user, with an id or not. */
const NOT_USERS: readonly [string, () => unknown][] = [
  ["a list with an id", () => Object.assign([], { id: "7" })],
  ["a promise in a function", () => () => ({ id: "7" })],
  ["a Map", () => new Map([["id", "7"]])],
  ["a Response", () => Response.json({ id: "7" })],
  ["text", () => '{"id":"7"}'],
];

describe("what a hook returns as user", () => {
  it.each(NOT_IDS)("profile(): refuses the id %s", async (_, id) => {
    const c = setUp({ provider: { profile: () => ({ id: id as string }) } });
    await expectNoSignIn(c, await attempt(c));
  });

  it.each(NOT_IDS)("authorize(): refuses the id %s", async (_, id) => {
    await expectRefusedUser(() => ({ id }));
  });

  it.each(NOT_USERS)("profile(): refuses %s", async (_, user) => {
    const c = setUp({ provider: { profile: () => user() as { id: string } } });
    await expectNoSignIn(c, await attempt(c));
  });

  it.each(NOT_USERS)("authorize(): refuses %s", async (_, user) => {
    await expectRefusedUser(user);
  });

  it.each([
    [{ id: 7 }, "7"],
    [{ id: 2n ** 60n }, String(2n ** 60n)],
    [
      new (class Row {
        get id() {
          return "7";
        }
        get name() {
          return "Ada";
        }
      })(),
      "7",
    ],
    [new Proxy({ id: "7", name: "Ada" }, {}), "7"],
    [Object.assign(Object.create(null), { id: "7" }), "7"],
  ])("takes %o, for whom profile() and authorize() say it is", async (user, id) => {
    const c = setUp({ provider: { profile: () => user as { id: string } }, config: { callbacks: keepIds([]) } });
    const seen: unknown[] = [];
    const d = setUp({ provider: { profile: () => user as { id: string } }, config: { callbacks: keepIds(seen) } });
    await expectSignedIn(c, await attempt(c));
    await expectSignedIn(d, await attempt(d));
    expect(seen).toEqual([id]);
    const own: unknown[] = [];
    const e = setUp({ providers: [credentials(() => user)], config: { callbacks: keepIds(own) } });
    await e.post(`${BASE}/callback/own`);
    expect(own).toEqual([id]);
  });

  it("reads each member once: what was checked is what counts", async () => {
    let reads = 0;
    const user = {
      get id() {
        reads += 1;
        return reads === 1 ? "7" : "admin";
      },
    };
    const seen: unknown[] = [];
    const c = setUp({ provider: { profile: () => user }, config: { callbacks: keepIds(seen) } });
    await expectSignedIn(c, await attempt(c));
    expect([seen, reads]).toEqual([["7"], 1]);
  });

  it("does not take a name or an image that is not text", async () => {
    const seen: unknown[] = [];
    const user = { id: "7", name: { first: "Ada" }, image: 7, email: ["a@x.io"] };
    const jwt = ({ token, user: given }: JWTCallbackParams) => {
      seen.push(given);
      return token;
    };
    const e = setUp({ providers: [credentials(() => user)], config: { callbacks: { jwt } } });
    await e.post(`${BASE}/callback/own`);
    expect(seen[0]).toEqual({ id: "7", name: null, image: null, email: null });
  });
});

describe("what account() returns", () => {
  it.each([
    ["a promise", async () => ({ access_token: "a" })],
    ["a list", () => ["a"]],
    ["text", () => "a"],
    [
      "an error",
      () => {
        throw new Error("canary of account()");
      },
    ],
  ])("is refused when it is %s", async (_, account) => {
    const c = setUp({ provider: { account: parseAccount(account) } });
    await expectNoSignIn(c, await attempt(c));
  });

  it("cannot say whose account it is", async () => {
    const account = () => ({
      userId: "admin",
      id: "1",
      provider: "x",
      type: "email",
      providerAccountId: "admin",
      kept: 1,
    });
    const linked: unknown[] = [];
    const app = setUpDatabase({
      provider: { account },
      config: { events: { linkAccount: (message) => void linked.push(message.account) } },
    });
    await app.signInWithOp();
    const [user] = app.memory.snapshot().users;
    const stored = { ...OWN, kept: 1, userId: user?.id };
    expect([app.memory.snapshot().accounts, linked]).toEqual([[stored], [stored]]);
  });

  it.each(["jwt", "database"] as const)(
    "does not limit what callbacks receive, with sessions as %s",
    async (strategy) => {
      const seen: unknown[] = [];
      const app = setUpDatabase({
        strategy,
        provider: { account: ({ scope }) => ({ scope }) },
        config: {
          callbacks: {
            signIn: ({ account }) => seen.push(account) > 0,
            jwt: ({ token, account }) => {
              if (account) seen.push(account);
              return token;
            },
          },
          events: { signIn: ({ account }) => void seen.push(account) },
        },
      });
      const set = {
        expires_in: 60,
        refresh_expires_in: 90,
        team: { id: "T1" },
        userId: "admin",
        id: "1",
        provider: "x",
      };
      app.op.script = { token: { patch: { set } } };
      await app.signInWithOp();
      const [access_token] = app.op.issued.accessTokens;
      const whole = {
        ...OWN,
        access_token,
        token_type: "bearer",
        expires_in: 60,
        refresh_expires_in: 90,
        team: { id: "T1" },
      };
      expect(seen).toEqual(Array(strategy === "jwt" ? 3 : 2).fill(expect.objectContaining(whole)));
      const [{ userId, ...stored } = { userId: "" }] = app.memory.snapshot().accounts;
      // Absent before the user is stored.
      expect(seen.map((account) => Object(account).userId)).toEqual([undefined, ...seen.slice(1).map(() => userId)]);
      for (const account of seen) expect(account).not.toHaveProperty("id");
      expect(stored).toEqual({ ...OWN, scope: "openid profile email" });
    },
  );
});

describe("the subject of a session without a database", () => {
  it("names the provider, so that two providers never share one; credentials keep theirs", async () => {
    const subjects: unknown[] = [];
    const jwt = ({ token, user, account }: JWTCallbackParams) => {
      if (account) subjects.push([token.sub, user?.id, account.providerAccountId]);
      return token;
    };
    const second = secondProvider();
    second.op.user = { sub: "user-subject-1815" };
    const c = setUp({
      providers: [second.provider, credentials(() => ({ id: "staff|user-subject-1815" }))],
      config: { callbacks: { jwt } },
      routes: second.routes,
      alsoTo: [second.op.issuer],
    });
    await c.signInWithOp();
    const page = await c.browser.navigate(`${BASE}/signin`);
    await c.browser.submit(page, { action: `${BASE}/signin/op2`, follow: "all" });
    await c.post(`${BASE}/callback/own`);
    expect(subjects).toEqual([
      ["op|user-subject-1815", "op|user-subject-1815", "user-subject-1815"],
      ["op2|user-subject-1815", "op2|user-subject-1815", "user-subject-1815"],
      ["staff|user-subject-1815", "staff|user-subject-1815", "staff|user-subject-1815"],
    ]);
  });
});

describe("a verified address", () => {
  const VICTIM = "victim@x.io";
  const mallory = {
    sub: "m",
    name: "Mallory",
    email: "mallory@evil.io",
    email_verified: true,
    preferred_username: VICTIM,
  };

  /** When the address of the new user counts as proven. */
  async function provenAt(
    user: ReturnType<typeof setUp>["op"]["user"],
    provider: Partial<OAuthProvider>,
    options: CaseOptions = {},
  ) {
    const app = setUpDatabase({ ...options, provider: { ...options.provider, ...provider } as Partial<OAuthProvider> });
    app.op.user = user;
    await app.signInWithOp();
    const [row] = app.memory.snapshot().users;
    return { email: row?.email, emailVerified: row?.emailVerified };
  }

  it.each<[string, Partial<OAuthProvider>]>([
    ["takes it from another claim", { profile: (p) => ({ id: String(p.sub), email: p.preferred_username }) }],
    ["says so", { profile: (p) => ({ id: String(p.sub), email: p.preferred_username, emailVerified: true }) }],
    [
      "gives a date",
      { profile: (p) => ({ id: String(p.sub), email: p.preferred_username, emailVerified: new Date() }) },
    ],
    [
      "changes the document",
      {
        profile: (p) => {
          Object.assign(p, { email: p.preferred_username, email_verified: true });
          return { id: String(p.sub), email: p.email };
        },
      },
    ],
  ])("is not vouched for by the claim about another, whatever profile() does: it %s", async (_, provider) => {
    expect(await provenAt(mallory, provider)).toEqual({ email: VICTIM, emailVerified: null });
    expect(await provenAt(mallory, { ...provider, idToken: false })).toEqual({ email: VICTIM, emailVerified: null });
    const oauth2 = { ...OAUTH2, provider: { ...OAUTH2.provider } };
    const user = { ...mallory, id: "m" };
    expect(await provenAt(user, provider, oauth2)).toEqual({ email: VICTIM, emailVerified: null });
  });

  it("can be made weaker by profile()", async () => {
    const profile = (p: Profile) => ({ id: String(p.sub), email: p.email, emailVerified: false });
    expect(await provenAt(mallory, { profile })).toEqual({ email: mallory.email, emailVerified: null });
    expect((await provenAt(mallory, {})).emailVerified).toBeInstanceOf(Date);
  });

  it("is not made stronger by profile(): what is denied beside the address stays so, in an envelope and in a list", async () => {
    const profile = (p: Profile) => ({ id: String(p.id), email: VICTIM, emailVerified: true });
    const user = { sub: "m", id: "m" };
    const users = (email_verified: boolean): Parameters<typeof provenAt>[0][] => [
      { ...user, data: { email: VICTIM, email_verified } },
      {
        ...user,
        emails: [
          { email: "m@evil.io", email_verified: true },
          { email: VICTIM, email_verified },
        ],
      },
    ];
    for (const denied of users(false))
      expect(await provenAt(denied, { profile }, OAUTH2)).toEqual({ email: VICTIM, emailVerified: null });
    for (const stated of users(true))
      expect((await provenAt(stated, { profile }, OAUTH2)).emailVerified).toBeInstanceOf(Date);
  });

  it("that userinfo denies is not verified by the ID token", async () => {
    const app = setUpDatabase();
    app.op.user = mallory;
    app.op.script = {
      idToken: { claims: { remove: ["name", "preferred_username"] } },
      userinfo: { patch: { set: { email_verified: false } } },
    };
    await app.signInWithOp();
    expect(app.memory.snapshot().users).toMatchObject([{ email: mallory.email, emailVerified: null }]);
  });

  it("is read by the provider object's `verifiedEmail` where the claim has another name", async () => {
    const verifiedEmail = (p: Profile) => (p.edov === 1 ? p.email : undefined);
    const { email_verified: _, ...claims } = mallory;
    expect((await provenAt({ ...claims, edov: 1 }, { verifiedEmail })).emailVerified).toBeInstanceOf(Date);
    expect((await provenAt({ ...claims, edov: 0 }, { verifiedEmail })).emailVerified).toBe(null);
    expect((await provenAt({ ...mallory, edov: 0 }, { verifiedEmail })).emailVerified).toBe(null);
  });

  it("of userinfo is not vouched for by the ID token: with `idToken: false` userinfo alone is the profile", async () => {
    const seen: unknown[] = [];
    const signIn = ({ profile }: { profile?: unknown }) => seen.push(profile) > 0;
    const app = setUpDatabase({ provider: { idToken: false }, config: { callbacks: { signIn } } });
    app.op.user = mallory;
    app.op.script = { userinfo: { body: { sub: "m", email: VICTIM } } };
    await app.signInWithOp();
    expect(app.memory.snapshot().users).toMatchObject([{ email: VICTIM, emailVerified: null }]);
    expect(seen).toEqual([{ sub: "m", email: VICTIM }]);
  });

  it.each([{ sub: "other" }, { id: "m" }, {}])(
    "userinfo.request cannot leave the ID token's subject: %j",
    async (answer) => {
      const c = setUp({ provider: { idToken: false, userinfo: { request: async () => answer } } });
      await expectNoSignIn(c, await attempt(c));
    },
  );

  it("links no account to its user unless the provider vouches for it", async () => {
    const app = setUpDatabase({
      provider: {
        allowDangerousEmailAccountLinking: true,
        profile: (p) => ({ id: String(p.sub), email: p.preferred_username, emailVerified: true }),
      },
    });
    await app.memory.adapter.createUser?.({
      id: "victim",
      name: "V",
      email: VICTIM,
      emailVerified: new Date(),
      image: null,
    });
    app.op.user = mallory;
    const { url } = await app.signInWithOp();
    expect(String(url)).toContain("error=OAuthAccountNotLinked");
    expect(app.memory.snapshot().accounts).toEqual([]);
  });
});

/** What a program without types might pass. */
function parseAccount(account: () => unknown): () => undefined {
  return account as () => undefined;
}

/** A provider whose `authorize` returns what the test says. */
function credentials(user: () => unknown) {
  const authorize = () => user() as { id: string };
  return { id: "own", name: "Own", type: "credentials", credentials: {}, authorize } as const;
}

function keepIds(seen: unknown[]) {
  const signIn = ({ account }: { account?: { providerAccountId: string } | null | undefined }) =>
    seen.push(account?.providerAccountId) > 0;
  return { signIn };
}

async function expectRefusedUser(user: () => unknown): Promise<void> {
  const c = setUp({ providers: [credentials(user)] });
  const visit = await c.post(`${BASE}/callback/own`);
  expect(visit.redirectsTo).toBe(`${ORIGIN}${BASE}/error?error=Configuration`);
  expect(await c.session()).toBe(null);
}
