// Several real processes and one Redis, which the test starts itself.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedServers, startRedis } from "../../../store-redis/src/servers/start-redis.ts";
import type { Round } from "./worker.ts";

const TIMES = 40;
const INTERVAL = 600;
const isLong = Boolean(process.env.CARDEA_TEST_LONG);
const ROUNDS = isLong ? 60 : 3;
const folder = await mkdtemp(join(tmpdir(), "cardea-attempts-"));
const bundle = join(folder, "worker.cjs");
const isInstalled = installedServers().includes("redis-server");

beforeAll(async () => {
  const entryPoints = [new URL("worker.ts", import.meta.url).pathname];
  await build({ entryPoints, outfile: bundle, bundle: true, platform: "node", format: "cjs", logLevel: "error" });
});
afterAll(() => rm(folder, { recursive: true }));

/** How many of these tries a process lets through. */
async function ask(worker: ChildProcess, round: Round): Promise<number> {
  const answer = once(worker, "message");
  worker.send(round);
  return Number((await answer)[0]);
}

/** Three processes on a separate Redis; `work` is given how to ask all of them at once. */
async function withFleet(
  work: (
    all: (tries: number, at?: number) => Promise<number>,
    redis: Awaited<ReturnType<typeof startRedis>>,
  ) => Promise<void>,
) {
  const redis = await startRedis();
  const workers = [1, 2, 3].map(() => fork(bundle, [redis.url, String(TIMES), String(INTERVAL)]));
  try {
    await Promise.all(workers.map((worker) => once(worker, "message")));
    await work(async (tries, at) => {
      const round = at === undefined ? { tries } : { tries, at };
      const counts = await Promise.all(workers.map((worker) => ask(worker, round)));
      return counts.reduce((sum, count) => sum + count, 0);
    }, redis);
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    await redis.close();
  }
}

/** Rounds of all three while the time goes on, by steps that fall on both sides of every edge. Counts any interval of that length. */
async function playOn(
  all: (tries: number, at: number) => Promise<number>,
  before: (round: number) => Promise<void> = async () => undefined,
): Promise<{ most: number; passed: number }> {
  const passes: { at: number; count: number }[] = [];
  let at = 1_000_001;
  const waits = [0, 1, INTERVAL / 3, 0, INTERVAL / 2 - 1, 0, INTERVAL - 1, 1, 0, INTERVAL / 7];
  for (let round = 0; round < ROUNDS * 5; round++) {
    await before(round);
    at += Math.round(waits[round % waits.length] ?? 0);
    passes.push({ at, count: await all(1 + (round % 9), at) });
  }
  const within = (from: number) =>
    passes.filter((one) => one.at >= from && one.at < from + INTERVAL).reduce((sum, { count }) => sum + count, 0);
  return {
    most: Math.max(...passes.map((one) => within(one.at))),
    passed: passes.reduce((n, { count }) => n + count, 0),
  };
}

describe.skipIf(!isInstalled)("attempts() in three processes on one Redis", () => {
  it("lets exactly the number through", async () => {
    await withFleet(async (all) => {
      let passed = 0;
      for (let round = 0; round < ROUNDS * 5; round++) passed += await all(3);
      expect(passed).toBe(TIMES);
    });
  });

  it("never lets more through when all try at the same moment", async () => {
    await withFleet(async (all) => {
      let passed = 0;
      for (let round = 0; round < ROUNDS; round++) passed += await all(100);
      expect(passed).toBeLessThanOrEqual(TIMES);
    });
  });

  it("never lets more than the number through in any interval, wherever it begins", async () => {
    await withFleet(async (all) => {
      const { most, passed } = await playOn(all);
      expect(passed).toBeGreaterThan(TIMES);
      expect(most).toBeLessThanOrEqual(TIMES);
    });
  });

  it("never lets more than half more through in any interval while Redis is killed and comes back empty", async () => {
    await withFleet(async (all, redis) => {
      await all(1, 1_000_000);
      const { most, passed } = await playOn(all, async (n) => {
        if (n % 10 === 3) await redis.kill();
        if (n % 10 === 7) await redis.restart();
      });
      expect(passed).toBeGreaterThan(TIMES);
      expect(most).toBeLessThanOrEqual(1.5 * TIMES);
    });
  });

  // The short form has the last one, which contains the others.
  it.each(isLong ? ["before", "amid", "and back, empty"] : ["and back, empty"])(
    "lets at most half more through when Redis is killed: %s",
    async (when) => {
      await withFleet(async (all, redis) => {
        let passed = await all(1);
        if (when !== "before") for (let round = 0; round < 3; round++) passed += await all(2);
        await redis.kill();
        for (let round = 0; round < ROUNDS; round++) passed += await all(5);
        if (when === "and back, empty") await redis.restart();
        for (let round = 0; round < ROUNDS * 4; round++) passed += await all(10);
        expect(passed).toBeGreaterThanOrEqual(TIMES / 4);
        expect(passed).toBeLessThanOrEqual(1.5 * TIMES);
      });
    },
  );
});
