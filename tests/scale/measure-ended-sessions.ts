import { setTimeout as pause } from "node:timers/promises";
import { createAuth } from "@cardea/core";
import type { Store, StoreEntries } from "@cardea/core/adapters";
import { sessions, sessionsOf } from "@cardea/sessions";
import { type Browser, createBrowser } from "@cardea/testing";
import type { SharedStore } from "./shared-stores.ts";

const ORIGIN = "https://app.example.com";

/** What became of the sessions of a fleet with so many ended sessions in its log. */
export interface EndedSessionFigures {
  readonly records: number;
  /** Milliseconds until a new process served a session, and until it refused one that had ended. */
  readonly served: number;
  readonly refused: number;
  /** Milliseconds until a new process had read the log, and the calls that took. */
  readonly read: number;
  readonly pages: number;
  /** Milliseconds until the log was complete again after the store was emptied. */
  readonly restored: number;
  /** Answers while a process read the log, and after the store lagged and was emptied: all of them, and those that were wrong. */
  readonly answers: number;
  readonly wrong: readonly string[];
  /** The longest of these answers, in milliseconds. */
  readonly longest: number;
}

/** Measures one store with so many ended sessions in its log. */
export async function measureEndedSessions(shared: SharedStore, records: number): Promise<EndedSessionFigures> {
  const old = startProcess(shared.store);
  const [ann, bo] = [await signIn(old, "ann"), await signIn(old, "bo")];
  // The log begins.
  await endAll(old, "someone else");
  await shared.fill(records);
  await endAll(old, "bo");
  const observed = createObserver({ ann: "ann", bo: null }, { ann, bo });

  const begun = performance.now();
  const fresh = startProcess(shared.store);
  const served = await timed(() => observed.expect(fresh, "ann"));
  const refused = await timed(() => observed.expect(fresh, "bo"));
  await observed.until(fresh, async () => fresh.hasRead());
  const read = performance.now() - begun;
  const pages = fresh.pages();
  await observed.until(old, async () => old.hasRead());

  await shared.lag(3);
  await observed.until(old, async () => old.hasRead());
  await shared.empty();
  const emptied = performance.now();
  await observed.until(old, async () => (await countEntries(shared.store)) >= records);
  const restored = performance.now() - emptied;
  const last = startProcess(shared.store);
  await observed.until(last, async () => last.hasRead());
  return { records, served, refused, read, pages, restored, ...observed.figures() };
}

interface Process {
  readonly handler: (request: Request) => Promise<Response>;
  readonly auth: Parameters<typeof sessionsOf>[0];
  readonly pages: () => number;
  /** Whether it has read the log to its end since it was asked last. */
  readonly hasRead: () => boolean;
}

/** One process of the application: it has its own memory. */
function startProcess(store: Store): Process {
  const { log } = store;
  if (log === undefined) throw new Error("The store has no log.");
  let [pages, reads] = [0, 0];
  const counted: Store = {
    ...store,
    log: {
      append: (...args) => log.append(...args),
      async since(...args) {
        pages++;
        const page = await log.since(...args);
        if (page.more !== true) reads++;
        return page;
      },
    },
  };
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    session: { strategy: "jwt" },
    extensions: [sessions()],
    store: counted,
    providers: [
      {
        id: "password",
        name: "Password",
        type: "credentials",
        credentials: { username: {} },
        authorize: ({ username }) => (typeof username === "string" ? { id: username, name: username } : null),
      },
    ],
  });
  const { GET, POST } = auth.handlers;
  return {
    auth,
    handler: async (request) => (request.method === "POST" ? POST(request) : GET(request)),
    pages: () => pages,
    hasRead: () => {
      const has = reads > 0;
      reads = 0;
      return has;
    },
  };
}

const endAll = ({ auth }: Process, userId: string): Promise<unknown> => sessionsOf(auth).endAll(userId);

async function signIn({ handler }: Process, username: string): Promise<string> {
  const browser: Browser = createBrowser(handler, { origin: ORIGIN });
  const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
  await browser.fetch("/auth/callback/password", {
    method: "POST",
    body: new URLSearchParams({ csrfToken, username }),
    headers: { "X-Auth-Return-Redirect": "1" },
  });
  return browser.cookies
    .list()
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

type Names = "ann" | "bo";

/** Reads sessions, and notes each answer that is wrong: an outage too. */
function createObserver(expected: Record<Names, string | null>, cookies: Record<Names, string>) {
  let [answers, longest] = [0, 0];
  const wrong: string[] = [];
  const expect = async ({ handler }: Process, name: Names): Promise<void> => {
    const started = performance.now();
    const answer = await handler(new Request(`${ORIGIN}/auth/session`, { headers: { cookie: cookies[name] } }));
    longest = Math.max(longest, performance.now() - started);
    answers++;
    const session: { user?: { name: string } } | null = await answer.json();
    const seen = answer.ok ? (session?.user?.name ?? null) : answer.status;
    if (seen !== expected[name]) wrong.push(`${name}: ${seen}`);
  };
  return {
    expect,
    /** Reads both sessions again and again. */
    async until(process: Process, isOver: () => Promise<boolean>): Promise<void> {
      process.hasRead();
      do {
        await expect(process, "ann");
        await expect(process, "bo");
        await pause(20);
      } while (!(await isOver()));
    },
    figures: () => ({ answers, wrong, longest }),
  };
}

let counting: { store: Store; at: string | null; entries: number } | undefined;

/** How many entries the log has; goes on where the last call ended. */
async function countEntries(store: Store): Promise<number> {
  if (counting?.store !== store) counting = { store, at: null, entries: 0 };
  for (let more = true; more; ) {
    const page: StoreEntries | undefined = await store.log?.since("cardea:sessions:log", counting.at, { limit: 100 });
    if (page === undefined) return 0;
    const count: number = page.entries.reduce((sum, entry) => sum + JSON.parse(entry).length, 0);
    counting = { store, at: page.at, entries: page.complete ? counting.entries + count : count };
    more = page.more === true;
  }
  return counting.entries;
}
