import { createAuth } from "@cardea/core";
import type { Adapter, Store } from "@cardea/core/adapters";
import { type ActionSpec, defineExtension, type RequestTools } from "@cardea/extend";
import { emailCodes } from "@cardea/providers-email/codes";
import { sessions } from "@cardea/sessions";
import { createBrowser, createMemoryAdapter, type MemoryData, type StoredCookie } from "@cardea/testing";

/** What one version left behind: the rows of a database, the entries of a store, the cookies of a browser, and what belongs to them. */
export interface World {
  /** When it was recorded: what expires is read at that time. */
  readonly at: string;
  readonly rows: MemoryData;
  readonly store: Readonly<Record<string, string>>;
  readonly cookies: readonly StoredCookie[];
  /** By format: what only a user or another system has, such as a code. */
  readonly given: Readonly<Record<string, string>>;
}

/** Rows and entries outside of the process. */
export interface Database {
  readonly adapter: Adapter;
  readonly store: Store;
}

/** An application whose whole state can be taken out and put in again. */
export interface Application {
  readonly origin: string;
  readonly adapter: Adapter;
  /** Links of the mails that were sent. */
  readonly links: readonly string[];
  /** Codes of the mails that were sent. */
  readonly codes: readonly string[];
  /** Runs something as an extension with this id would, in a request of the browser. */
  within<T>(id: string, work: (t: RequestTools) => Promise<T>): Promise<T>;
  readonly browser: ReturnType<typeof createBrowser>;
  state(): Pick<World, "rows" | "store" | "cookies">;
}

const ORIGIN = "https://app.example.com";
/** Of every application here. */
export const SECRET = "the secret that all samples were sealed with, for tests";

/** The extensions whose formats are recorded. */
const IDS = ["vault", "second-factor", "attempts", "logout", "password"] as const;

const nameOf = (id: string): `GET ${string}` => `GET probe-${id}`;

/** Starts an application in the state of a world, or in none, whose rows and entries are in memory or in `database`. */
export function startApplication(world?: World, database?: Database): Application {
  const memory = createMemoryAdapter(world === undefined ? {} : { seed: world.rows });
  const adapter = database?.adapter ?? memory.adapter;
  const kept = new Map(Object.entries(world?.store ?? {}));
  const [links, codes]: [string[], string[]] = [[], []];
  let work: ((t: RequestTools) => Promise<void>) | undefined;
  const probe: ActionSpec = {
    csrf: "none",
    segment: "none",
    answers: "json",
    head: "skip",
    run: async (_action, t) => {
      await work?.(t);
      return { kind: "empty", status: 204 };
    },
  };
  const probes = IDS.map((id) => defineExtension({ id, actions: { [nameOf(id)]: probe } }));
  const { handlers } = createAuth({
    secret: SECRET,
    adapter,
    store: database?.store ?? storeOf(kept),
    session: { strategy: "database", maxAge: 400 * 24 * 60 * 60 },
    logger: { warn: () => undefined },
    providers: [
      {
        id: "mail",
        name: "Mail",
        type: "email",
        maxAge: 24 * 60 * 60,
        code: emailCodes,
        sendVerificationRequest: ({ url, code = "" }) => {
          links.push(url);
          codes.push(code);
        },
      },
    ],
    extensions: [sessions({ atRest: "hashed", revocation: { check: "each" } }), ...probes],
  });
  const browser = createBrowser((request) => handlers.GET(request), { origin: ORIGIN, follow: "same-origin" });
  if (world !== undefined) browser.cookies.restore(world.cookies);
  return {
    origin: ORIGIN,
    adapter,
    links,
    codes,
    browser,
    within: async (id, task) => {
      const results: Awaited<ReturnType<typeof task>>[] = [];
      work = async (t) => void results.push(await task(t));
      const { status } = await browser.fetch(`/auth/probe-${id}`);
      const [result] = results;
      if (results.length !== 1 || status !== 204) throw new Error(`The request of ${id} answered ${status}.`);
      return result as Awaited<ReturnType<typeof task>>;
    },
    state: () => ({
      rows: memory.snapshot(),
      store: Object.fromEntries(kept),
      cookies: browser.cookies.snapshot(),
    }),
  };
}

/** A store whose entries do not expire: a world is recorded, and read, at one point in time. */
function storeOf(kept: Map<string, string>): Store {
  const put = (key: string, value: string | null) => {
    if (value === null) kept.delete(key);
    else kept.set(key, value);
    return true;
  };
  return {
    get: async (key) => kept.get(key) ?? null,
    set: async (key, value, { ifAbsent }) => (ifAbsent && kept.has(key) ? false : put(key, value)),
    add: async (key, by, { ttl }) => {
      const value = Number(kept.get(key) ?? 0) + by;
      put(key, String(value));
      return { value, ttl };
    },
    swap: async (key, expected, next) => (kept.get(key) ?? null) === expected && put(key, next),
  };
}

/** A world as JSON: points in time are named as such. */
export function writeWorld(world: World): string {
  return JSON.stringify(
    world,
    function (this: Record<string, unknown>, name, value) {
      const own = this[name];
      return own instanceof Date ? { time: own.toISOString() } : value;
    },
    2,
  );
}

/** Inverse of {@link writeWorld}. */
export function readWorld(text: string): World {
  return JSON.parse(text, (_name, value) =>
    typeof value === "object" && value !== null && typeof value.time === "string" ? new Date(value.time) : value,
  );
}
