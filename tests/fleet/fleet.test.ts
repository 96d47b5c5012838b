// Several processes of the Express example behind a load balancer, while processes are killed, Redis is stopped, continued and emptied, and
// PostgreSQL is restarted; all of them are started here. The long form is part of `npm run test:all`.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedServers } from "../../packages/store-redis/src/servers/start-redis.ts";
import { buildPrograms } from "./build-programs.ts";
import { type Fault, runFleet } from "./run-fleet.ts";
import { type Fleet, startFleet } from "./start-fleet.ts";

const isLong = process.env.CARDEA_TEST_LONG !== undefined;
const seed = Number(process.env.CARDEA_TEST_SEED ?? 15);

/** Thirty faults, none of which is just after another of its kind. */
const manyFaults = Array.from(
  { length: 30 },
  (_, n): Fault => (["kill", "pause", "empty", "kill", "database", "kill"] as const)[n % 6] ?? "kill",
);

/** `CARDEA_FLEET=40x60`: so many visitors for so many seconds, with a fault every six seconds. */
const [visitors = 200, seconds = 180] = process.env.CARDEA_FLEET?.split("x").map(Number) ?? [];

const form = isLong
  ? ({ visitors, seconds, faults: manyFaults.slice(0, Math.ceil(seconds / 6)), seed } as const)
  : ({ visitors: 6, seconds: 6, faults: ["kill", "pause", "empty"], seed } as const);

const built = installedServers().includes("redis-server")
  ? await buildPrograms({ main: "examples/express/src/main.ts" })
  : undefined;
afterAll(() => built?.remove());

describe.skipIf(built === undefined)("a fleet of four processes", () => {
  let fleet: Fleet | undefined;
  beforeAll(async () => {
    if (built !== undefined) fleet = await startFleet({ program: built.path("main"), processes: 4, shared: true });
  }, 120_000);
  afterAll(() => fleet?.close());

  it("keeps every promise while parts of it fail", { timeout: 1_800_000 }, async (context) => {
    if (fleet === undefined) return context.skip();
    const history = await runFleet(fleet, form);
    console.info(`fleet: ${fleet.proxy.answered} requests; ${JSON.stringify(history.report())}`);
    expect(history.violations).toEqual([]);
    expect(history.counts["sign-ins"]).toBeGreaterThanOrEqual(form.visitors);
    expect(history.counts.replays).toBeGreaterThanOrEqual(4 * form.visitors);
  });

  const itLong = isLong ? it : () => undefined;
  itLong("beside the same without extensions", { timeout: 1_800_000 }, async () => {
    if (built === undefined) return;
    for (const shared of [true, false]) {
      const other = await startFleet({ program: built.path("main"), processes: 4, shared });
      if (other === undefined) return;
      try {
        const history = await runFleet(other, { visitors: 50, seconds: 20, faults: [], seed });
        console.info(
          `fleet ${shared ? "with" : "without"} extensions, undisturbed: ${JSON.stringify(history.report())}`,
        );
      } finally {
        await other.close();
      }
    }
  });
});
