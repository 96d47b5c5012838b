import { whereReachable } from "../../packages/testing/src/served-databases.ts";
/** A short form of `restarted.long.test.ts`: the database ends one idle connection, of the set-up that the README of Kysely shows. */

import { expect, it } from "vitest";
import { openPostgres } from "../../packages/adapter-kysely/src/databases/postgres.ts";

import { buildSetUp, SET_UPS } from "./documented-set-ups.ts";
import { runPostgres } from "./own-server.ts";
import { runProgram } from "./run-program.ts";

/** Ends every connection of the database but the one that asks. */
const END_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;

const database = await whereReachable("PostgreSQL", () => openPostgres());

it.skipIf(database === undefined)("the database may end an idle connection of the documented pool", async () => {
  const [setUp] = SET_UPS.filter(({ name }) => name === "Kysely with pg");
  if (setUp === undefined || database === undefined) throw new Error("There is no such set-up.");
  const built = await buildSetUp(setUp);
  const program = await runProgram(built.path, { DATABASE_URL: database.url });
  await program.ask({ kind: "create", email: "before@example.com" });
  await runPostgres(database.url, [END_OTHERS]);
  expect(await program.ask({ kind: "create", email: "after@example.com" })).toEqual({ value: "after@example.com" });
  expect(program.printed()).toContain("terminating connection");
  await program.close();
  built.remove();
  await database.close();
});
