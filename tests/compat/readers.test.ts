// Whatever answers "who is this" answers as `auth()` of the whole configuration does, or that it cannot say (docs/sessions.md#readers).
import { withAuth } from "@cardea/bridge-authjs/middleware";
import { type AuthConfig, createAuth } from "@cardea/core";
import { type Adapter, memoryStore } from "@cardea/core/adapters";
import { SessionUnavailable } from "@cardea/core/errors";
import { decode, getToken } from "@cardea/core/jwt";
import { createAuth as createReader } from "@cardea/core/read";
import { defineExtension, type Extension } from "@cardea/extend";
import { createAuth as createHono } from "@cardea/hono";
import { createAuth as createNext } from "@cardea/next";
import { createAuth as createMiddleware } from "@cardea/next/middleware";
import { sessions, sessionsOf } from "@cardea/sessions";
import { createMemoryAdapter, createTestSession } from "@cardea/testing";
import fc from "fast-check";
import { Hono } from "hono";
import { type NextFetchEvent, NextRequest } from "next/server.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const ORIGIN = "https://app.example.com";
const SECRET = "a secret of more than thirty-two bytes for tests";
const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined };
const BASE = { secret: SECRET, trustHost: true, basePath: "/auth", providers: [], logger: silent } as const;
const MAIL = { id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => undefined } as const;

beforeEach(() => {
  vi.stubEnv("AUTH_SECRET", SECRET);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Result of a reader: a user, no user, or unavailable. */
type Answer = "user" | "no one" | "unavailable";
type Reader = (config: AuthConfig, request: Request) => Promise<Answer>;

const say = (session: unknown): Answer => (session === null || session === undefined ? "no one" : "user");
const orUnavailable = (error: unknown): Answer => {
  if (error instanceof SessionUnavailable) return "unavailable";
  throw error;
};
const byStatus = async (answer: Response): Promise<Answer> =>
  answer.status === 503 ? "unavailable" : answer.status === 200 ? say(await answer.json()) : "no one";
const nextRequest = ({ headers }: Request) =>
  new NextRequest(`${ORIGIN}/members`, { headers: [...headers, ["x-forwarded-proto", "https"]] });
// biome-ignore lint/suspicious/noConfusingVoidType: a handler of Next.js may return nothing
const byNext = (answer: Response | null | undefined | void): Answer => {
  if (answer?.status === 503) return "unavailable";
  return !answer || answer.headers.has("x-middleware-next") ? "user" : "no one";
};

const forMembers = (config: AuthConfig) => ({
  ...config,
  callbacks: { authorized: ({ auth }: { auth: unknown }) => auth !== null },
});

const READERS: Readonly<Record<string, Reader>> = {
  "auth()": (config, request) => createAuth(config).auth(request).then(say, orUnavailable),
  "GET session": async (config, request) =>
    byStatus(await createAuth(config).handlers.GET(new Request(`${ORIGIN}/auth/session`, request))),
  "auth() of @cardea/core/read": (config, request) => createReader(config).auth(request).then(say, orUnavailable),
  "auth() as middleware of Next.js": async (config, request) =>
    byNext(await createNext(forMembers(config)).auth(nextRequest(request), {} as NextFetchEvent)),
  "auth() of @cardea/next/middleware": async (config, request) =>
    byNext(await createMiddleware(forMembers(config)).auth(nextRequest(request), {} as NextFetchEvent)),
  "auth() of Hono": async (config, request) => {
    const { auth } = createHono(config);
    const app = new Hono().get("/members", async (c) => c.json(await auth(c).then(say, orUnavailable)));
    return (await app.request(new Request(`${ORIGIN}/members`, request))).json();
  },
  "getToken()": (_config, req) => getToken({ req }).then(say, orUnavailable),
  "getToken() with its options": ({ cookies, extensions }, req) =>
    getToken({ req, secret: SECRET, cookies, extensions }).then(say, orUnavailable),
  "withAuth() of the bridge": async (_config, request) => byNext(await withAuth(nextRequest(request))),
};

/** The former rule, for the control: a token that opens is a session. */
const formerGetToken: Reader = async ({ cookies }, request) => {
  const [name = "", token = ""] = (request.headers.get("cookie") ?? "").split("=");
  return say(await decode({ token, secret: SECRET, salt: cookies?.sessionToken?.name ?? name }));
};

const CHECKERS = ["blocked", "device"] as const;
const COOKIES = [
  undefined,
  { sessionToken: { options: { domain: "example.com" } } },
  { sessionToken: { name: "__Host-shop" } },
] as const;

const situation = fc.record({
  strategy: fc.constantFrom("jwt", "database"),
  cookies: fc.constantFrom(...COOKIES),
  hasSessions: fc.boolean(),
  checkers: fc.subarray([...CHECKERS]),
  mail: fc.boolean(),
  event: fc.constantFrom("nothing", "ended", "blocked", "device", "address taken"),
  /** What the configuration of the reader lacks. */
  lacks: fc.record({
    sessions: fc.boolean(),
    blocked: fc.boolean(),
    device: fc.boolean(),
    adapter: fc.boolean(),
    cookies: fc.constant(false),
  }),
});
type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

function start({ strategy, cookies, hasSessions, checkers, mail }: Situation) {
  const memory = createMemoryAdapter();
  const { store: _own, ...adapter } = memory.adapter;
  const store = memoryStore({ instances: 1 });
  const over = new Set<string>();
  const checker = (id: string): Extension =>
    defineExtension({ id, checkSession: ({ sid }) => (over.has(`${id} ${sid}`) ? "ended" : "valid") });
  const registered = sessions({ revocation: { check: "each" } });
  const configOf = (lacks: Partial<Situation["lacks"]> = {}): AuthConfig => ({
    ...BASE,
    providers: mail && !lacks.adapter ? [MAIL] : [],
    store,
    ...(cookies === undefined ? {} : { cookies }),
    ...(lacks.adapter ? {} : { adapter: adapter as Adapter, session: { strategy } }),
    extensions: [
      ...(hasSessions && !lacks.sessions ? [registered] : []),
      ...checkers.filter((id) => !lacks[id]).map(checker),
    ],
  });
  return { adapter, over, configOf };
}

async function happen(app: ReturnType<typeof start>, { event, hasSessions }: Situation, userId: string) {
  const config = app.configOf();
  if (event === "ended" && hasSessions) await sessionsOf(createAuth(config).auth).endAll(userId, { by: "admin" });
  if (event === "blocked" || event === "device") app.over.add(event);
  if (event === "address taken") await app.adapter.updateUser?.({ id: userId, email: null });
}

/** A reader without a database does not read its sessions, and one that is not given a name knows only those of core. */
const isBlind = (name: string, { strategy, cookies, lacks }: Situation): boolean => {
  const isTokenOnly = name.startsWith("getToken") || name.startsWith("withAuth");
  if (strategy === "database") return isTokenOnly || lacks.adapter;
  return (
    isTokenOnly && !name.endsWith("options") && cookies?.sessionToken !== undefined && "name" in cookies.sessionToken
  );
};

const property = (reader: Reader, name = "") =>
  fc.asyncProperty(situation, async (one) => {
    const app = start(one);
    const user = await app.adapter.createUser({ id: "", name: "Ann", email: "ann@example.com", emailVerified: null });
    const whole = app.configOf();
    const { header } = await createTestSession(whole, { url: ORIGIN, user });
    const request = () => new Request(`${ORIGIN}/members`, { headers: { host: "app.example.com", cookie: header } });
    await happen(app, one, user.id);
    const truth = await READERS["auth()"]?.(whole, request());
    const said = await reader(app.configOf(one.lacks), request());
    if (said === "unavailable")
      expect([one, one.hasSessions || one.checkers.length > 0 || one.mail]).toEqual([one, true]);
    else expect([one, said]).toEqual([one, isBlind(name, one) ? "no one" : truth]);
  });

describe.each(Object.entries(READERS))("%s", (name, reader) => {
  it("answers as auth() of the whole configuration does, or that it cannot say, whatever it lacks", async () => {
    await fc.assert(property(reader, name), { numRuns: 60 });
  });
});

describe("a reader that only opens tokens", () => {
  it("lets in whose session has ended, and the same property finds it", async () => {
    const { failed } = await fc.check(property(formerGetToken), { numRuns: 200, endOnFailure: true });
    expect(failed).toBe(true);
  });
});
