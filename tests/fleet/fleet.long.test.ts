// Several processes of the Express example behind a load balancer, while processes are killed, Redis is stopped, continued and emptied, and
// PostgreSQL is restarted; all of them are started here. The long form is part of `npm run test:all`.
import { loadavg } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedServers } from "../../packages/store-redis/src/servers/start-redis.ts";
import { buildPrograms } from "./build-programs.ts";
import { percentiles } from "./history.ts";
import { type Fault, runFleet } from "./run-fleet.ts";
import { type Fleet, startFleet } from "./start-fleet.ts";
import { useTwoWindows } from "./windows.ts";

const seed = Number(process.env.CARDEA_TEST_SEED ?? 15);

/** Thirty faults, none of which is just after another of its kind. */
const manyFaults = Array.from(
  { length: 30 },
  (_, n): Fault => (["kill", "pause", "empty", "kill", "database", "kill"] as const)[n % 6] ?? "kill",
);

/** `CARDEA_FLEET=40x60`: so many visitors for so many seconds, with a fault every six seconds. */
const [visitors = 200, seconds = 180] = process.env.CARDEA_FLEET?.split("x").map(Number) ?? [];

const form = {
  visitors,
  seconds,
  thinking: 12_000,
  faults: manyFaults.slice(0, Math.ceil(seconds / 6)),
  seed,
  alongside: [useTwoWindows],
};

/** What else the machine does is beside each figure. */
const load = () => `load ${loadavg().map((one) => one.toFixed(1))}`;

const built = installedServers().includes("redis-server")
  ? await buildPrograms({ main: "examples/express/src/main.ts" })
  : undefined;
afterAll(() => built?.remove());

describe.skipIf(built === undefined)("a fleet of four processes", () => {
  let fleet: Fleet | undefined;
  beforeAll(async () => {
    if (built !== undefined) fleet = await startFleet({ program: built.path("main"), processes: 4, shared: true });
  });
  afterAll(() => fleet?.close());

  it("keeps every promise while parts of it fail", { timeout: 1_800_000 }, async (context) => {
    if (fleet === undefined) return context.skip();
    const history = await runFleet(fleet, form);
    console.info(`fleet: ${fleet.proxy.answered} requests; ${JSON.stringify(history.report())}; ${load()}`);
    for (const [what, times] of history.notes) console.info(`fleet: ${times} × ${what}`);
    expect(history.violations).toEqual([]);
    // What was never done has not been shown.
    const shown = ["proofs", "sessions ended", "renewals", "sign-outs", "windows: whole rounds"];
    expect(shown.filter((what) => history.counts[what] === undefined)).toEqual([]);
    expect(history.counts["sign-ins"]).toBeGreaterThanOrEqual(form.visitors);
    expect(history.counts.replays).toBeGreaterThanOrEqual(4 * form.visitors);
  });

  it("beside the same without extensions", { timeout: 1_800_000 }, async () => {
    const program = built?.path("main") ?? "";
    // At the same time, so that whatever else the machine does meets both.
    const fleets = await Promise.all([true, false].map((shared) => startFleet({ program, processes: 4, shared })));
    try {
      const calm = { visitors: 25, seconds: 40, thinking: 1_000, faults: [], seed };
      const runs = fleets.map(async (one) => ({
        shared: one?.endsSessions,
        history: one && (await runFleet(one, calm)),
      }));
      for (const { shared, history } of await Promise.all(runs)) {
        if (history === undefined) return;
        expect(history.counts.failed).toBeUndefined();
        const times = JSON.stringify(percentiles(history.reads));
        console.info(`fleet ${shared ? "with" : "without"} extensions, undisturbed: ${times}; ${load()}`);
      }
    } finally {
      await Promise.all(fleets.map((one) => one?.close()));
    }
  });
});
