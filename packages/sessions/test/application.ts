/** Servers of one application for tests: each has its own memory, and all have one store. Test-only. */
import { type AuthConfig, createAuth } from "@cardea/core";
import { type Adapter, memoryStore, type Store } from "@cardea/core/adapters";
import { type Browser, createBrowser, createMemoryAdapter } from "@cardea/testing";
import { type SessionsOptions, sessions, sessionsOf } from "../src/index.ts";

export const ORIGIN = "https://app.example.com";

/** How an application differs. */
export interface TestOptions {
  readonly sessions?: SessionsOptions;
  readonly config?: Partial<AuthConfig>;
  readonly strategy?: "jwt" | "database";
}

const quiet = { error: () => {}, warn: () => {}, debug: () => {} };

/** Reads wait for the log each time, so that a test sees at once what another server wrote. */
export const EAGER = { every: 0.000_001, stale: 60 };

/** A store that can be away, hang and be emptied, and says how often it was called. */
function createTestStore() {
  let store = memoryStore();
  let state: "there" | "away" | "hanging" = "there";
  const calls: string[] = [];
  let failsAt = Number.POSITIVE_INFINITY;
  const call = async <T>(name: string, work: (store: Store) => Promise<T> | undefined): Promise<T> => {
    if (calls.length >= failsAt) state = "away";
    calls.push(name);
    if (state === "away") throw new Error("away");
    if (state === "hanging") await new Promise(() => {});
    const answer = await work(store);
    if (answer === undefined) throw new Error("no log");
    return answer;
  };
  const guarded: Store = {
    get: (key) => call("get", (s) => s.get(key)),
    set: (...args) => call("set", (s) => s.set(...args)),
    add: (...args) => call("add", (s) => s.add(...args)),
    swap: (...args) => call("swap", (s) => s.swap(...args)),
    log: {
      append: (...args) => call("append", (s) => s.log?.append(...args)),
      since: (...args) => call("since", (s) => s.log?.since(...args)),
    },
  };
  return {
    store: guarded,
    calls,
    set: (next: typeof state) => {
      state = next;
      failsAt = Number.POSITIVE_INFINITY;
    },
    /** It is away from that call on, by their number. */
    failAt: (call: number) => {
      failsAt = call;
    },
    empty: () => {
      store = memoryStore();
    },
  };
}

/** One application; `server()` starts another process of it, which may be configured differently. Everyone's password is "right". */
export function createTestApplication({ sessions: options, config, strategy = "jwt" }: TestOptions = {}) {
  const backing = createTestStore();
  const memory = createMemoryAdapter({
    keepIds: true,
    seed: {
      users: ["ann", "bo"].map((id) => ({
        id,
        name: id,
        email: `${id}@example.com`,
        emailVerified: null,
        image: null,
      })),
    },
  });
  const adapter: Adapter = memory.adapter;
  const server = (differing: Partial<AuthConfig> = {}) => {
    const auth = createAuth({
      secret: "a secret of more than thirty-two bytes for tests",
      trustHost: true,
      logger: quiet,
      session: { strategy },
      ...(strategy === "database" ? { adapter } : {}),
      extensions: [sessions({ revocation: EAGER, ...options })],
      store: backing.store,
      providers: [
        {
          id: "password",
          name: "Password",
          type: "credentials",
          credentials: { username: {}, password: {} },
          authorize: ({ username, password }) =>
            password === "right" && typeof username === "string" ? { id: username, name: username } : null,
        },
      ],
      ...config,
      ...differing,
    });
    const { GET, POST } = auth.handlers;
    const handler = (request: Request) => (request.method === "POST" ? POST(request) : GET(request));
    return { auth, handler, sessions: sessionsOf(auth), newBrowser: () => createBrowser(handler, { origin: ORIGIN }) };
  };
  return { backing, memory, server };
}

export type TestServer = ReturnType<ReturnType<typeof createTestApplication>["server"]>;

/** Posts a form of the application, as JSON clients do. */
export async function post(browser: Browser, action: string, fields: Readonly<Record<string, string>> = {}) {
  const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
  return browser.fetch(`/auth/${action}`, {
    method: "POST",
    body: new URLSearchParams({ csrfToken, ...fields }),
    headers: { "X-Auth-Return-Redirect": "1", "user-agent": fields.agent ?? "Firefox/140.0 (X11; Linux)" },
  });
}

/** Signs a user in with a browser of its own. */
export async function signIn(server: TestServer, username = "ann", agent?: string): Promise<Browser> {
  const browser = server.newBrowser();
  const answer = await post(browser, "callback/password", {
    username,
    password: "right",
    ...(agent === undefined ? {} : { agent }),
  });
  if (!answer.ok) throw new Error(`The sign-in failed: ${answer.status}.`);
  return browser;
}

/** The `Cookie` header of a browser: a thief's copy. */
export function copyOf(browser: Browser): string {
  return browser.cookies
    .list()
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
}

/** What a server says to a copied cookie: the user, null, or the status of an error. */
export async function replay(server: TestServer, cookie: string): Promise<string | number | null> {
  const answer = await server.handler(new Request(`${ORIGIN}/auth/session`, { headers: { cookie } }));
  if (!answer.ok) return answer.status;
  const session: { user: { name: string } } | null = await answer.json();
  return session?.user.name ?? null;
}
