// The doors that only read resolve a configuration, judge a session and guard a request exactly as the default entries do.
import { bridge } from "@cardea/bridge-authjs";
import { type AuthConfig, createAuth } from "@cardea/core";
import { type Adapter, memoryStore } from "@cardea/core/adapters";
import type { AuthError } from "@cardea/core/errors";
import { decode, encode } from "@cardea/core/jwt";
import { createAuth as createReader } from "@cardea/core/read";
import { defineExtension, type Extension } from "@cardea/extend";
import { createAuth as createNext } from "@cardea/next";
import { createAuth as createMiddleware } from "@cardea/next/middleware";
import { sessions } from "@cardea/sessions";
import { createMemoryAdapter, createTestSession } from "@cardea/testing";
import fc from "fast-check";
import { type NextFetchEvent, NextRequest } from "next/server.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isLong } from "../../packages/testing/src/long-form.ts";

const SECRET = "a secret of more than thirty-two bytes for tests";
const OLDER = "an older secret of more than thirty-two bytes";
const OTHER = "the secret of another application, also long enough";
const START = Date.UTC(2026, 10, 26, 12);
const DAY = 86_400;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  for (const name of ["error", "warn"] as const) vi.spyOn(console, name).mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const OIDC = { id: "op", name: "OP", type: "oidc", issuer: "https://op.example", clientId: "a", clientSecret: "b" };
const PROVIDERS = {
  oidc: OIDC,
  owning: { ...OIDC, id: "owning", ownsAddresses: ["example.com"] },
  fromEnvironment: { id: "env", name: "Env", type: "oidc" },
  factory: (options: object) => ({
    id: "made",
    type: "oauth",
    ...ENDPOINTS,
    clientId: "a",
    clientSecret: "b",
    options,
  }),
  mail: { id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => undefined },
  lax: { id: "lax", type: "email", allowDangerousEmailAccountLinking: true, sendVerificationRequest: () => undefined },
  password: { id: "password", type: "credentials", authorize: () => null },
  off: false,
} as const;
const ENDPOINTS = {
  authorization: "https://op.example/authorize",
  token: "https://op.example/token",
  userinfo: "https://op.example/me",
};

const JWT_CALLBACKS = {
  none: undefined,
  kept: ({ token }: { token: object }) => token,
  changed: ({ token }: { token: object }) => ({ ...token, role: "member" }),
  moved: ({ token, account }: { token: object; account?: unknown }) =>
    account ? token : { ...token, email: "new@example.com" },
  ended: ({ token, account }: { token: object; account?: unknown }) => (account ? token : null),
  broken: ({ token, account }: { token: object; account?: unknown }) => {
    if (!account) throw new Error("the database is away");
    return token;
  },
} as const;
const SESSION_CALLBACKS = {
  none: undefined,
  added: ({ session }: { session: object }) => ({ ...session, role: "member" }),
  hidden: () => null,
  broken: () => {
    throw new Error("the database is away");
  },
} as const;
const AUTHORIZED = {
  none: undefined,
  members: ({ auth }: { auth: unknown }) => auth !== null,
  everyone: () => true,
  elsewhere: ({ request }: { request: Request }) => Response.redirect(new URL("/welcome", request.url)),
  told: ({ request, auth }: { request: Request; auth: unknown }) =>
    Response.json({ url: request.url, method: request.method, auth }),
  broken: () => {
    throw new Error("the database is away");
  },
} as const;
const CHECKS: Readonly<Record<string, Extension>> = {
  valid: defineExtension({ id: "valid", checkSession: () => "valid" }),
  ended: defineExtension({ id: "ended", checkSession: async () => ({ ended: "blocked" }) }),
  asked: defineExtension({
    id: "asked",
    checkSession: () => ({ ask: "prove" }),
    actions: {
      "GET prove": { csrf: "none", segment: "none", answers: "page", head: "skip", run: async () => ({}) as never },
    },
  }),
  broken: defineExtension({ id: "broken", checkSession: () => Promise.reject(new Error("the store is away")) }),
  silent: defineExtension({ id: "silent" }),
};

const keysOf = <T extends object>(table: T) => fc.constantFrom(...(Object.keys(table) as (keyof T)[]));
const weighted = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof(
    { weight: 4 * others.length, arbitrary: fc.constant(usual) },
    { weight: others.length, arbitrary: fc.constantFrom(...others) },
  );

const situation = fc.record({
  strategy: weighted("jwt", "database", "by adapter", "without adapter"),
  secret: weighted<readonly string[] | undefined>([SECRET], [SECRET, OLDER], [OLDER, SECRET], undefined),
  jwtSecret: weighted<string | undefined>(undefined, OLDER),
  cookies: weighted<AuthConfig["cookies"]>(
    undefined,
    { sessionToken: { name: "shop" } },
    { sessionToken: { name: "__Host-shop" } },
    { sessionToken: { options: { domain: "example.com", sameSite: "strict" } } },
    { sessionToken: { options: { path: "/members" } } },
  ),
  useSecureCookies: weighted<boolean | undefined>(undefined, true, false),
  basePath: weighted<string | undefined>(undefined, "/auth", "/", "/a/b"),
  strippedPrefix: weighted<string | undefined>(undefined, "/shop"),
  trustHost: weighted<boolean | undefined>(undefined, true, false),
  encodedSlashes: weighted<"allow" | "refuse" | undefined>(undefined, "allow", "refuse"),
  session: weighted<object>(
    {},
    { maxAge: DAY },
    { updateAge: 0 },
    { absolute: DAY / 2 },
    { maxAge: 10 * DAY, absolute: DAY },
  ),
  tokenCache: weighted<number | undefined>(undefined, 0),
  hasOwnFormat: weighted(false, true),
  pages: weighted<object>(
    {},
    { signIn: "/login" },
    { signIn: "/login?x=1", error: "/error" },
    { signIn: "/", signOut: "/out" },
  ),
  origins: weighted<readonly string[] | undefined>(undefined, ["https://shop.example.com"]),
  redirectProxyUrl: weighted<string | undefined>(undefined, "https://proxy.example.com/auth"),
  providers: fc.subarray(Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[], { maxLength: 3 }),
  hasRegister: weighted(false, true),
  hasBridge: weighted(false, true),
  checks: weighted<readonly string[]>(
    [],
    ["valid"],
    ["ended"],
    ["asked"],
    ["broken"],
    ["silent"],
    ["valid", "asked"],
    ["asked", "ended"],
  ),
  jwt: fc.oneof(fc.constant("none" as const), keysOf(JWT_CALLBACKS)),
  callback: fc.oneof(fc.constant("none" as const), keysOf(SESSION_CALLBACKS)),
  authorized: keysOf(AUTHORIZED),
  isFunction: weighted(false, true),
  environment: fc.record({
    AUTH_URL: weighted<string | undefined>(
      undefined,
      "https://app.example.com",
      "https://app.example.com/x/auth",
      "http://localhost:3000",
    ),
    AUTH_TRUST_HOST: weighted<string | undefined>(undefined, "true", "false"),
    NODE_ENV: weighted<string | undefined>("test", "production", "development", undefined),
    AUTH_SECRET: weighted<string | undefined>(SECRET, OLDER, undefined),
    AUTH_SECRET_1: weighted<string | undefined>(undefined, OLDER),
  }),
  cookie: weighted(
    "valid",
    "none",
    "old",
    "expired",
    "forged",
    "other secret",
    "older secret",
    "checks",
    "unproven",
    "doubled",
    "large",
    "row",
    "bare",
  ),
  event: weighted("nothing", "address taken", "address changed", "user deleted"),
  request: fc.record({
    url: fc.constantFrom("https://app.example.com", "http://localhost:3000", "http://127.0.0.1:3000"),
    host: weighted<string | undefined>(
      undefined,
      "app.example.com",
      "other.example.com",
      "a b",
      "one.example,two.example",
    ),
    forwarded: weighted<string | undefined>(undefined, "app.example.com", "shop.example.com"),
    path: fc.constantFrom(
      "/members",
      "/",
      "/login",
      "/login/",
      "/login?x=1",
      "/login?x=1&x=2",
      "/auth/signin",
      "/auth/session",
      "/api/auth/csrf",
      "/auth/prove",
      "/auth/callback/op",
      "/a/b/signin/op",
      "/authx/session",
      "/members%2Fall",
      "/%6dembers",
      "//members",
      "/out",
      "/error",
      "/x/auth/csrf",
      "/shop/auth/csrf",
    ),
    method: weighted("GET", "POST", "HEAD", "OPTIONS", "PUT"),
    mode: weighted<string | undefined>(undefined, "navigate", "cors"),
  }),
});
type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

/** The configuration of an application, with the database that it belongs to. */
function configOf(one: Situation, database: Adapter): AuthConfig {
  const needsAdapter = one.providers.some((name) => name === "mail" || name === "lax");
  const hasAdapter = needsAdapter || one.strategy !== "without adapter";
  const own = { encode, decode };
  return {
    secret: one.secret as string[] | undefined,
    cookies: one.cookies,
    useSecureCookies: one.useSecureCookies,
    basePath: one.basePath,
    strippedPrefix: one.strippedPrefix,
    trustHost: one.trustHost,
    encodedSlashes: one.encodedSlashes,
    pages: one.pages,
    origins: one.environment.AUTH_URL?.startsWith("https") ? one.origins : undefined,
    redirectProxyUrl: one.redirectProxyUrl,
    ...(hasAdapter ? { adapter: database } : {}),
    session: {
      ...one.session,
      ...(one.strategy === "jwt" || one.strategy === "database" ? { strategy: one.strategy } : {}),
    },
    jwt: { secret: one.jwtSecret, tokenCache: one.tokenCache, ...(one.hasOwnFormat ? own : {}) },
    providers: one.providers.map((name) => PROVIDERS[name]) as AuthConfig["providers"],
    store: memoryStore({ instances: 1 }),
    extensions: [
      one.hasRegister && sessions({ revocation: { check: "each" } }),
      one.hasBridge && bridge({ accept: ["authjs-v5"] }),
      ...one.checks.map((id) => CHECKS[id]),
    ],
    callbacks: {
      jwt: JWT_CALLBACKS[one.jwt],
      session: SESSION_CALLBACKS[one.callback],
      authorized: AUTHORIZED[one.authorized],
    },
  } as AuthConfig;
}

/** What one door did: its answer, its cookies by name and attributes, what the handler saw, and what was logged. */
type Outcome = Readonly<Record<string, unknown>>;
type Door = (config: AuthConfig, request: () => Request) => Promise<Outcome>;

const namesOf = (error: unknown) => {
  const { name, cause } = error as AuthError;
  return { error: name, missing: cause?.missing };
};

/** Tokens are random: a cookie is told by its name, its attributes and whether it is cleared. */
const cookiesOf = (headers: Headers) =>
  headers.getSetCookie().map((line) => line.replace(/=([^;]*)/, (_, value) => (value === "" ? "=" : "=…")));

async function describeResponse(response: Response): Promise<Outcome> {
  const headers = [...response.headers].filter(
    ([name]) => !/^set-cookie$|^x-middleware-(?:set-cookie|request-cookie)$/.test(name),
  );
  return { status: response.status, headers, cookies: cookiesOf(response.headers), body: await response.text() };
}

const settled = async (run: () => Promise<Outcome>): Promise<Outcome> => run().catch(namesOf);

/** Every use of `auth` of core, one after the other. */
const byCore =
  (create: (config: never) => Pick<ReturnType<typeof createAuth>, "auth">): Door =>
  async (config, request) => {
    const { auth } = create(config as never);
    const headers = new Headers();
    const seen: unknown[] = [];
    const handler = auth((given) => {
      seen.push(given.auth, given.url);
      return new Response("in");
    });
    return {
      looked: await settled(async () => ({ session: await auth(request()) })),
      renewed: await settled(async () => ({ session: await auth(request(), headers), cookies: cookiesOf(headers) })),
      guarded: await settled(async () => describeResponse(await handler(request()))),
      seen,
    };
  };

/** `auth` as middleware, alone and around a handler. */
const byNext =
  (create: (config: never) => Pick<ReturnType<typeof createNext>, "auth">): Door =>
  async (config, request) => {
    const { auth } = create(config as never);
    const seen: unknown[] = [];
    const wrapped = auth((given) => {
      seen.push(given.auth, given.url);
    });
    const next = () => new NextRequest(request());
    return {
      plain: await settled(async () => describeResponse(await auth(next(), {} as NextFetchEvent))),
      wrapped: await settled(async () => describeResponse(await wrapped(next(), {} as NextFetchEvent))),
      seen,
    };
  };

const DOORS = {
  "@cardea/core/read": [byCore(createAuth), byCore(createReader)],
  "@cardea/next/middleware": [byNext(createNext), byNext(createMiddleware)],
} as const satisfies Readonly<Record<string, readonly [Door, Door]>>;

const forged = (header: string) => header.replace(/.{8}(?=;|$)/g, "AAAAAAAA");

/** The cookies of the browser, from the application as it was when the user signed in. */
async function signIn(one: Situation, config: AuthConfig, userId: string): Promise<string> {
  if (one.cookie === "none") return "";
  const elsewhere = defineExtension({ id: "elsewhere", checkSession: () => "valid" });
  const secrets = { "other secret": OTHER, "older secret": OLDER } as Readonly<Record<string, string>>;
  const secret = secrets[one.cookie] ?? config.secret;
  const former: AuthConfig = {
    ...config,
    trustHost: true,
    ...(secret === undefined ? {} : { secret }),
    ...(one.cookie === "checks" ? { extensions: [...(config.extensions ?? []), elsewhere] } : {}),
    ...(one.cookie === "row" && config.adapter ? { session: { strategy: "database" } } : {}),
  };
  const name = one.cookie === "large" ? "Ann ".repeat(1_500) : "Ann";
  const user = { id: userId, name, email: "ann@example.com" };
  const url = one.environment.AUTH_URL ?? one.request.url;
  const { header } = await createTestSession(former, { url: new URL(url).origin, user });
  if (one.cookie === "forged") return forged(header);
  if (one.cookie === "doubled") return `${forged(header)}; ${header}`;
  return one.cookie === "bare" ? header.replace(/=[^;]*/g, "=abc") : header;
}

/** Opens one door of an application of its own. Null if the default entry refuses the configuration. */
async function open(one: Situation, door: Door): Promise<Outcome | null> {
  vi.setSystemTime(START);
  for (const [name, value] of Object.entries({ ...one.environment, NODE_ENV: "test" })) vi.stubEnv(name, value);
  const { adapter } = createMemoryAdapter();
  const { store: _own, ...database } = adapter;
  const emailVerified = one.cookie === "unproven" ? null : new Date(START);
  const { id } = await adapter.createUser({ id: "", name: "Ann", email: "ann@example.com", emailVerified });
  const lines: string[] = [];
  const write = (level: string) => (line: Error | string) =>
    void lines.push(`${level} ${line instanceof Error ? line.name : line.split(/[ :]/, 1)}`);
  const config = { ...configOf(one, database as Adapter), logger: { error: write("error"), warn: write("warn") } };
  const cookie = await signIn(one, config, id).catch(() => undefined);
  if (cookie === undefined) return null;
  vi.stubEnv("NODE_ENV", one.environment.NODE_ENV);
  try {
    createAuth(config);
  } catch {
    return null;
  }
  if (one.event === "address taken") await adapter.updateUser?.({ id, email: null } as never);
  if (one.event === "address changed") await adapter.updateUser?.({ id, email: "new@example.com" });
  if (one.event === "user deleted") await adapter.deleteUser?.(id);
  const past = { old: 2 * DAY, expired: 40 * DAY } as Readonly<Record<string, number>>;
  vi.setSystemTime(START + (past[one.cookie] ?? 60) * 1000);
  const outcome = await door(one.isFunction ? ((() => config) as never) : (config as never), () =>
    requestOf(one, cookie),
  );
  return { ...outcome, lines: lines.filter((line) => line.startsWith("error")) };
}

function requestOf({ request: { url, host, forwarded, path, method, mode } }: Situation, cookie: string): Request {
  const headers = new Headers(cookie === "" ? {} : { cookie });
  const given = { host, "x-forwarded-host": forwarded, "sec-fetch-mode": mode };
  for (const [name, value] of Object.entries(given)) if (value !== undefined) headers.set(name, value);
  return new Request(`${url}${path}`, { method, headers });
}

describe.each(Object.entries(DOORS))("%s", (_name, [whole, reader]) => {
  it("does what the default entry does, whatever the configuration, the cookie and the request", async () => {
    await fc.assert(
      fc.asyncProperty(situation, async (one) => {
        const expected = await open(one, whole);
        if (expected === null) return;
        expect(await open(one, reader)).toEqual(expected);
      }),
      { numRuns: isLong ? 2_000 : 80 },
    );
  });
});

describe("a reader of a configuration that the default entry refuses", () => {
  const usual = { secret: SECRET, trustHost: true, providers: [] };
  const wrong: Readonly<Record<string, object>> = {
    "a limit in words": { session: { absolute: "1h" } },
    "a limit as text": { session: { absolute: "60" } },
    "a lifetime in words": { session: { maxAge: "30d", absolute: 60 } },
    "callbacks that are no functions": { callbacks: { authorized: "members" } },
    "a strategy that does not exist": { session: { strategy: "cookie" } },
    "sessions in a database without one": { session: { strategy: "database" } },
    "a host that is trusted in words": { trustHost: "yes" },
    "an extension of another library": { extensions: [{ id: "blocked", checkSession: () => "ended" }] },
    "the name of a provider": { providers: ["github"] },
    "two providers with one id": { providers: [OIDC, OIDC] },
    "no list of providers": { providers: undefined },
    "two cookies with one name": { cookies: { sessionToken: { name: "x" }, csrfToken: { name: "x" } } },
  };

  const statusWith = async (option: object): Promise<number> => {
    vi.setSystemTime(START);
    const { header } = await createTestSession(
      { ...usual, session: { absolute: 3600 } },
      { url: "https://app.example.com" },
    );
    vi.setSystemTime(START + 600_000);
    const { auth } = createReader({ ...usual, ...option } as AuthConfig);
    const request = new Request("https://app.example.com/members", { headers: { cookie: header } });
    const handler = auth(({ auth: session }) => new Response(null, { status: session === null ? 401 : 200 }));
    return (await handler(request)).status;
  };

  it("lets a user in with a right one", async () => {
    expect(await statusWith({ session: { absolute: 3600 } })).toBe(200);
  });

  it.each(Object.entries(wrong))("lets no one in with %s", async (_what, option) => {
    expect(() => createAuth({ ...usual, ...option } as AuthConfig)).toThrow();
    expect(await statusWith(option).catch(() => "refused")).not.toBe(200);
  });

  it("names the adapter that sessions in a database need", async () => {
    const logged: Error[] = [];
    const logger = { error: (error: Error) => void logged.push(error) };
    expect(await statusWith({ session: { strategy: "database" }, logger })).toBe(503);
    expect(String(Object(logged[0]?.cause).err)).toMatch(/need the `adapter`/);
  });
});
