// What the vault is for: the same expiries, with the refresh recipe of the guide of Auth.js. The table of docs/provider-tokens.md.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleWorker, type Fleet, type Program, startFleet } from "./fleet.ts";

const ROUNDS = 200;
const HOUR_MS = 3_700_000;

describe("the refresh recipe of Auth.js's guide on PostgreSQL, with rotation and reuse detection", () => {
  let program: Program;
  let fleet: Fleet | undefined;
  beforeAll(async () => {
    program = await bundleWorker();
    fleet = await startFleet("PostgreSQL", { program, hasVault: false });
  });
  afterAll(async () => {
    await fleet?.close();
    await program.remove();
  });

  it.each([
    [1, 1],
    [1, 100],
    [3, 1],
    [3, 100],
  ])("%i processes, %i calls each", { timeout: 1_800_000 }, async (processes, parallel) => {
    if (fleet === undefined) return;
    const { addUser, start, answers } = fleet;
    const members = await Promise.all(Array.from({ length: processes }, () => start()));
    const count = { requests: 0, refused: 0, failedCalls: 0, signInsAgain: 0 };
    let userId = await addUser(`Recipe ${processes} ${parallel}`);
    for (let round = 0; round < ROUNDS; round++) {
      const order = { userId, parallel, advanceMs: HOUR_MS, recipe: true };
      const reports = await Promise.all(members.map((member) => member.run(order)));
      const seen = answers(userId);
      count.requests += seen.length;
      count.refused += seen.filter((status) => status !== 200).length;
      count.failedCalls += reports.reduce((sum, { failed }) => sum + failed, 0);
      // A refused refresh token ends the grant: the user has to sign in again, and the next expiry is that of the new tokens.
      if (seen.every((status) => status === 200)) continue;
      count.signInsAgain += 1;
      userId = await addUser(`Recipe ${processes} ${parallel} ${round}`);
    }
    console.log(`${ROUNDS} expiries, ${processes} × ${parallel}: ${JSON.stringify(count)}`);
    for (const { child } of members) child.kill("SIGKILL");
    if (processes === 1 && parallel === 1) expect(count).toMatchObject({ requests: ROUNDS, refused: 0 });
    else expect(count.signInsAgain).toBeGreaterThan(0);
  });
});
