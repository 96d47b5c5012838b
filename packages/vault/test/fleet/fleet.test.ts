import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedServers } from "../../../store-redis/src/servers/start-redis.ts";
import { type Fleet, startFleet } from "./fleet.ts";

const isLong = Boolean(process.env.CARDEA_TEST_LONG);
const [ROUNDS, PARALLEL] = isLong ? [200, 100] : [4, 20];
/** The steps of a refresh: those up to the lease are before the fifth. In the short form one before the request, and one after it. */
const POINTS = Array.from({ length: 20 }, (_, n) => n + 5).filter((n) => isLong || n === 12 || n === 19);
const STOPS = POINTS.filter((n) => isLong || n === 19);
const HOUR_MS = 3_700_000;
/** Leases end sooner in survivors, so that no test waits for fifteen seconds. */
const SPEED = 3;
/** One refresh, by whichever process; or the token was used up, presented once more, and refused. */
const FOUND = { failures: [], answers: [200] };
const LOST = { failures: ["ReauthRequired: lost"], answers: [200, 400] };
const isInstalled = installedServers().includes("redis-server");

describe.skipIf(!isInstalled)("vault() in several processes on one Redis, with rotation and reuse detection", () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet();
  }, 120_000);
  afterAll(() => fleet.close());

  it("refreshes once for each expiry, with clocks a minute apart", { timeout: 900_000 }, async () => {
    const userId = await fleet.addUser("Ada");
    const members = await Promise.all([0, 30_000, -30_000].map((clockMs) => fleet.start({ clockMs })));
    const order = { userId, parallel: PARALLEL, advanceMs: HOUR_MS };
    for (let round = 0; round < ROUNDS; round++) {
      const reports = await Promise.all(members.map((member) => member.run(order)));
      expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
      expect(new Set(reports.flatMap(({ tokens }) => tokens)).size).toBe(1);
    }
    expect(fleet.answers()).toEqual(Array.from({ length: ROUNDS }, () => 200));
    for (const { child } of members) child.kill("SIGKILL");
  });

  it.each(POINTS)(
    "a holder that is killed at step %i loses its own account at most",
    { timeout: 120_000 },
    async (endAt) => {
      const [userId, otherId] = [await fleet.addUser(`Killed ${endAt}`), await fleet.addUser(`Other ${endAt}`)];
      const [holder, survivor] = await Promise.all([fleet.start(), fleet.start({ speed: SPEED })]);
      const order = { userId, parallel: 1, advanceMs: HOUR_MS };
      const wasKilled = await holder.run({ ...order, endAt }).then(
        () => false,
        () => true,
      );
      const report = await survivor.run(order);
      expect(wasKilled).toBe(true);
      expect([FOUND, LOST]).toContainEqual({ failures: report.failures, answers: fleet.answers() });
      expect((await survivor.run({ ...order, advanceMs: 0 })).failures).toEqual(report.failures);
      expect(fleet.answers()).toEqual([]);
      expect((await survivor.run({ userId: otherId, parallel: 1, advanceMs: 0 })).failures).toEqual([]);
      for (const { child } of [holder, survivor]) child.kill("SIGKILL");
    },
  );

  it.each(STOPS)(
    "a holder that is stopped at step %i and continued sends and overwrites nothing",
    { timeout: 120_000 },
    async (stopAt) => {
      const userId = await fleet.addUser(`Stopped ${stopAt}`);
      const [holder, survivor] = await Promise.all([fleet.start(), fleet.start({ speed: SPEED })]);
      const order = { userId, parallel: 1, advanceMs: HOUR_MS };
      const running = holder.run({ ...order, stopAt });
      await expect.poll(() => isStopped(holder.child.pid)).not.toBe(undefined);
      const report = await survivor.run(order);
      expect([FOUND, LOST]).toContainEqual({ failures: report.failures, answers: fleet.answers() });
      holder.child.kill("SIGCONT");
      const late = await running;
      expect(fleet.answers(), "nothing is sent after the lease").toEqual([]);
      const again = await survivor.run({ ...order, advanceMs: 0 });
      expect(again).toMatchObject({ tokens: report.tokens, failures: report.failures });
      expect(late).toMatchObject({ tokens: report.tokens, failures: report.failures });
      for (const { child } of [holder, survivor]) child.kill("SIGKILL");
    },
  );
});

/** Whether a process has been stopped, or has ended; undefined while it runs. */
async function isStopped(pid = 0): Promise<true | undefined> {
  const { readFile } = await import("node:fs/promises");
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "T");
  return /\) [TZ]|^T$/.test(stat) ? true : undefined;
}
