// A botnet tries passwords of one account, from an address for each try, through three processes at once. The owner signs in meanwhile on a
// device of theirs. The long form is part of `npm run test:all`.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { afterAll, describe, expect, it } from "vitest";
import { installedServers, startRedis } from "../../packages/store-redis/src/servers/start-redis.ts";
import type { Outcome, Tries } from "./botnet-worker.ts";
import { buildPrograms } from "./build-programs.ts";

const TRIES = 100_000;
const BATCH = 1_000;

/** Tries of an unknown browser for one account that pass in ten minutes: a run is in two buckets of that length at most. */
const LIMIT = 10;

const isInstalled = installedServers().includes("redis-server");
const built = isInstalled
  ? await buildPrograms({ worker: "tests/fleet/botnet-worker.ts" }, { database: false })
  : undefined;
afterAll(() => built?.remove());

async function ask(worker: ChildProcess, tries: Tries): Promise<Outcome> {
  const answer = once(worker, "message");
  worker.send(tries);
  return (await answer)[0];
}

/** An address that no other try has: `10.0.0.0/8` has enough of them. */
const addressOf = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

describe.skipIf(!isInstalled)("attempts() under a botnet", () => {
  it("checks as many passwords of strangers as the limit, and lets the owner in at each first try", {
    timeout: 600_000,
  }, async () => {
    const redis = await startRedis();
    const workers = [1, 2, 3].map(() => fork(built?.path("worker") ?? "", [redis.url]));
    try {
      await Promise.all(workers.map((worker) => once(worker, "message")));
      const [first] = workers;
      if (first === undefined) return;
      let owner = await ask(first, { password: "right", addresses: ["192.0.2.1"], cookie: "" });
      expect(owner).toMatchObject({ in: 1, checked: 1 });
      const total = { tries: 0, checked: 0, owner: 0 };
      const started = Date.now();
      for (let n = 0; n < TRIES; n += 3 * BATCH) {
        const outcomes = await Promise.all(
          workers.map((worker, index) => {
            const addresses = Array.from({ length: BATCH }, (_, one) => addressOf(n + index * BATCH + one));
            return ask(worker, { password: "wrong", addresses, cookie: "" });
          }),
        );
        for (const outcome of outcomes) total.checked += outcome.checked;
        total.tries += 3 * BATCH;
        // On another process each time, from another address each time: what counts is the device.
        const at = workers[(n / BATCH / 3) % 3] ?? first;
        owner = await ask(at, { password: "right", addresses: [addressOf(16_000_000 + n)], cookie: owner.cookie });
        expect(owner).toMatchObject({ in: 1, refused: 0, checked: 1 });
        total.owner++;
      }
      const stranger = await ask(first, { password: "right", addresses: ["192.0.2.2"], cookie: "" });
      expect(stranger).toMatchObject({ in: 0, refused: 1, checked: 0 });
      console.info(`botnet: ${JSON.stringify(total)} in ${Date.now() - started} ms`);
      const intervals = 1 + Math.ceil((Date.now() - started) / 600_000);
      expect(total.checked).toBeGreaterThan(0);
      expect(total.checked).toBeLessThanOrEqual(intervals * LIMIT);
    } finally {
      for (const worker of workers) worker.kill("SIGKILL");
      await redis.close();
    }
  });
});
