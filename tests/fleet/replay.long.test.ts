// Copies of cookies after their sign-out, between two processes whose clocks differ, on Redis and on PostgreSQL, which are started here. The
// long form is part of `npm run test:all`.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { installedServers, startRedis } from "../../packages/store-redis/src/servers/start-redis.ts";
import { startPostgres } from "../databases/start-postgres.ts";
import { buildPrograms } from "./build-programs.ts";
import { type Answer, AWAY, type Task } from "./replay-worker.ts";

/** `revocation.every` and a margin, in milliseconds. */
const BOUND = 2_200;

const [batches, size] = [10, 100];

/** A store that two processes share, and the program of a process on it. */
interface Shared {
  readonly program: string;
  readonly url: string;
  close(): Promise<void>;
}

const hasRedis = installedServers().includes("redis-server");
const built = hasRedis
  ? await buildPrograms({ redis: "tests/fleet/replay-redis.ts", postgres: "tests/fleet/replay-postgres.ts" })
  : undefined;
afterAll(() => built?.remove());

const stores: Readonly<Record<string, () => Promise<Shared | undefined>>> = {
  Redis: async () => {
    const redis = await startRedis();
    return { program: built?.path("redis") ?? "", url: redis.url, close: redis.close };
  },
  PostgreSQL: async () => {
    const postgres = await startPostgres();
    if (postgres === undefined) return undefined;
    return { program: built?.path("postgres") ?? "", url: postgres.url, close: postgres.close };
  },
};

/** Asks a process for something. */
async function ask(worker: ChildProcess, task: Task): Promise<Answer> {
  const answer = once(worker, "message");
  worker.send(task);
  return (await answer)[0];
}

/** Two processes on one store; the clock of the second is wrong by so many seconds. */
async function withTwo(store: string, offset: number, work: (a: ChildProcess, b: ChildProcess) => Promise<void>) {
  const shared = await stores[store]?.();
  if (shared === undefined) return;
  const workers = [0, offset].map((clock) => fork(shared.program, [shared.url, String(clock)]));
  try {
    const [a, b] = workers;
    if (a === undefined || b === undefined) return;
    await Promise.all(workers.map((worker) => once(worker, "message")));
    await work(a, b);
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    await shared.close();
  }
}

/** Those of a list for which something was done; on a busy machine a store may be away for a moment, and then nothing is. */
function doneOf<T>(list: readonly T[], answer: Answer): T[] {
  return list.filter((_, n) => answer[n] !== null && answer[n] !== "");
}

/** How many copies were tried. */
const tried: Record<string, number> = {};

/** Signs users in; their cookies, and who each is. */
async function signIn(worker: ChildProcess, users: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const cookies = await ask(worker, { kind: "sign in", users });
  return new Map(users.flatMap((user, n) => (cookies[n] ? [[cookies[n], user] as const] : [])));
}

/** Answers of processes that said that the store was away. */
const unavailable: Record<string, number> = {};

/** What cookies open: the session of their own user, and none where it has ended. */
async function expectOpen(worker: ChildProcess, known: ReadonlyMap<string, string>, alive: boolean): Promise<void> {
  const wanted = (cookie: string) => (alive ? known.get(cookie) : null);
  let cookies = [...known.keys()];
  for (let tries = 0; cookies.length > 0 && tries < 60; tries++) {
    if (tries > 0) await pause(1_000);
    const opened = await ask(worker, { kind: "read", cookies });
    const isAway = (n: number) => opened[n] === "503" || opened[n]?.endsWith(AWAY);
    const wrong = cookies.filter((cookie, n) => opened[n] !== wanted(cookie) && !isAway(n));
    expect(wrong.map((cookie) => `${known.get(cookie)}: ${opened[cookies.indexOf(cookie)]}`)).toEqual([]);
    // On a machine that is busy a store may be away for a moment, and an answer says so. Afterwards it is as it has to be.
    const away = cookies.filter((_, n) => isAway(n));
    for (const cookie of away) {
      const answer =
        opened[cookies.indexOf(cookie)] === "503" ? "503" : alive ? "alive, away" : "ended, served while away";
      unavailable[answer] = (unavailable[answer] ?? 0) + 1;
    }
    cookies = away;
  }
  expect(cookies.map((cookie) => known.get(cookie))).toEqual([]);
}

/** Copies of cookies that were signed out on one process are tried on both. */
async function replayAfterSignOut(store: string, a: ChildProcess, b: ChildProcess): Promise<void> {
  for (let batch = 0; batch < batches; batch++) {
    const known = await signIn(
      a,
      Array.from({ length: size }, (_, n) => `user-${batch}-${n}`),
    );
    await expectOpen(b, known, true);
    const cookies = [...known.keys()];
    const ended = doneOf(cookies, await ask(a, { kind: "sign out", cookies }));
    const copies = new Map([...known].filter(([cookie]) => ended.includes(cookie)));
    await expectOpen(a, copies, false);
    await pause(BOUND);
    await expectOpen(b, copies, false);
    tried[store] = (tried[store] ?? 0) + copies.size;
  }
}

/** Sign out everywhere ends every older session, and no newer one. */
async function endEverywhere(a: ChildProcess, b: ChildProcess): Promise<void> {
  const users = Array.from({ length: 10 }, (_, n) => `everywhere-${n}`);
  const [onA, onB] = [await signIn(a, users), await signIn(b, users)];
  const cookies = [...onA.keys()];
  const ended = doneOf(cookies, await ask(a, { kind: "end all", cookies })).map((cookie) => onA.get(cookie));
  const newer = await signIn(b, users);
  await pause(BOUND);
  for (const worker of [a, b]) {
    for (const older of [onA, onB]) {
      await expectOpen(worker, new Map([...older].filter(([, user]) => ended.includes(user))), false);
    }
    await expectOpen(worker, newer, true);
  }
}

const cases = [
  ["Redis", 60],
  ["PostgreSQL", -60],
  ["Redis", -60],
  ["PostgreSQL", 60],
] as const;

// Beside each other: most of their time is the wait for the bound.
describe.skipIf(built === undefined)("two processes", { concurrent: true }, () => {
  it.each(cases)(
    "on %s, one clock wrong by %i s: no ended session is alive after the bound, and every newer one is",
    { timeout: 600_000 },
    async (store, offset) => {
      await withTwo(store, offset, async (a, b) => {
        await replayAfterSignOut(store, a, b);
        await endEverywhere(a, b);
      });
      const away = JSON.stringify(unavailable);
      console.info(`copies tried after their sign-out: ${JSON.stringify(tried)}; while the store was away: ${away}`);
      // Of those that were asked for, most have to be done.
      expect(tried[store]).toBeGreaterThan((batches * size) / 2);
    },
  );
});
