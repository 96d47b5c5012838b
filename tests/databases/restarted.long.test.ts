/** Databases restart: for an update, a failover, a limit of memory. What the documentation shows survives it. */

import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { startRedis } from "../../packages/store-redis/src/servers/start-redis.ts";
import { buildSetUp, SET_UPS, STORES } from "./documented-set-ups.ts";
import { openOwn } from "./own-server.ts";
import { type Running, runProgram } from "./run-program.ts";

const servers = { postgres: await openOwn("postgres"), mysql: await openOwn("mysql") };
afterAll(async () => {
  await servers.postgres?.close();
  await servers.mysql?.close();
});

/** Connections that were idle at the restart may have to fail once each, before the pool knows. */
async function untilServed(program: Running, email: string): Promise<number> {
  for (let failures = 0; failures < 20; failures++) {
    const { error } = await program.ask({ kind: "create", email });
    expect(program.ended()).toBeNull();
    if (error === undefined) return failures;
    // Clients of Redis answer at once while they connect again.
    await setTimeout(100);
  }
  throw new Error("The program does not serve again.");
}

const withoutListeners = (text: string) => text.replace(/^pool\.on\(.*\n/gm, "");

describe.each(SET_UPS)("$name, as $page shows it", (setUp) => {
  const server = servers[setUp.database as "postgres" | "mysql"];

  it.skipIf(server === undefined)("survives a restart of the database, idle and in a transaction", async () => {
    const database = await server?.open(setUp);
    const built = await buildSetUp(setUp);
    const program = await runProgram(built.path, { DATABASE_URL: database?.url });
    try {
      expect(await program.ask({ kind: "create", email: "before@example.com" })).toEqual({
        value: "before@example.com",
      });
      await server?.restart();
      expect(await untilServed(program, "idle@example.com")).toBeLessThan(2);

      expect(await program.ask({ kind: "begin", email: "half@example.com" })).toEqual({ value: "begun" });
      await server?.restart();
      expect((await program.ask({ kind: "go-on" })).error).toBeDefined();
      expect(await untilServed(program, "after@example.com")).toBeLessThan(2);
      for (const email of ["half@example.com", "second-half@example.com"])
        expect(await program.ask({ kind: "find", email })).toEqual({ value: null });
      for (const email of ["before@example.com", "idle@example.com", "after@example.com"])
        expect(await program.ask({ kind: "find", email })).toEqual({ value: email });
      expect(program.ended()).toBeNull();
    } finally {
      await program.close();
      built.remove();
    }
  });
});

describe.each(STORES)("Redis with the client $name, as $page shows it", (setUp) => {
  it("survives a restart of the server", async () => {
    const server = await startRedis();
    const built = await buildSetUp(setUp);
    const program = await runProgram(built.path, { REDIS_URL: server.url });
    expect(await program.ask({ kind: "create", email: "before@example.com" })).toEqual({ value: "before@example.com" });
    await server.restart();
    await untilServed(program, "after@example.com");
    await server.kill();
    expect((await program.ask({ kind: "create", email: "without@example.com" })).error).toBeDefined();
    await server.restart();
    await untilServed(program, "again@example.com");
    await program.close();
    await server.close();
    built.remove();
  });
});

// What these tests would not show if the listeners of the page made no difference. Drizzle's adapter adds them itself.
it.skipIf(servers.postgres === undefined)("a pool without listeners ends the process", async () => {
  const [setUp] = SET_UPS.filter(({ name }) => name === "Kysely with pg");
  if (setUp === undefined) throw new Error("There is no such set-up.");
  const database = await servers.postgres?.open(setUp);
  const built = await buildSetUp(setUp, withoutListeners);
  const program = await runProgram(built.path, { DATABASE_URL: database?.url });
  await program.ask({ kind: "create", email: "before@example.com" });
  await servers.postgres?.restart();
  await program.ask({ kind: "create", email: "after@example.com" });
  expect(program.ended()).toContain("Unhandled 'error' event");
  await program.close();
  built.remove();
});
