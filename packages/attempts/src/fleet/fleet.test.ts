// Several real processes and one Redis, which the test starts itself.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedServers, startRedis } from "../../../store-redis/src/servers/start-redis.ts";

const TIMES = 40;
const ROUNDS = process.env.CARDEA_TEST_LONG ? 60 : 4;
const folder = await mkdtemp(join(tmpdir(), "cardea-attempts-"));
const bundle = join(folder, "worker.cjs");
const isInstalled = installedServers().includes("redis-server");

beforeAll(async () => {
  const entryPoints = [new URL("worker.ts", import.meta.url).pathname];
  await build({ entryPoints, outfile: bundle, bundle: true, platform: "node", format: "cjs", logLevel: "error" });
});
afterAll(() => rm(folder, { recursive: true }));

/** How many of these tries a process lets through. */
async function ask(worker: ChildProcess, tries: number): Promise<number> {
  const answer = once(worker, "message");
  worker.send(tries);
  return Number((await answer)[0]);
}

/**
 * Three processes on a Redis of their own; `work` is given how to ask all of them at once.
 *
 * @param timeout in milliseconds. Where Redis is not killed it is long: a busy machine is not an outage.
 */
async function withFleet(
  work: (all: (tries: number) => Promise<number>, redis: Awaited<ReturnType<typeof startRedis>>) => Promise<void>,
  timeout = 20_000,
) {
  const redis = await startRedis();
  const workers = [1, 2, 3].map(() => fork(bundle, [redis.url, String(TIMES), "600", String(timeout)]));
  try {
    await Promise.all(workers.map((worker) => once(worker, "message")));
    await work(async (tries) => {
      const counts = await Promise.all(workers.map((worker) => ask(worker, tries)));
      return counts.reduce((sum, count) => sum + count, 0);
    }, redis);
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    await redis.close();
  }
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

  it.each(["before", "amid", "and back, empty"])(
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
      }, 200);
    },
  );
});
