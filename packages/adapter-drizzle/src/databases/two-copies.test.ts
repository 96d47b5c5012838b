import { adapterContract } from "@cardea/testing";
import { createClient } from "@libsql/client";
import { DrizzleQueryError as Own } from "drizzle-orm";
import { DrizzleQueryError } from "drizzle-orm-copy";
import { drizzle } from "drizzle-orm-copy/libsql";
import { integer, sqliteTable, text } from "drizzle-orm-copy/sqlite-core";
import { afterAll, describe, expect, it } from "vitest";
import { sparse } from "../../../testing/src/long-form.ts";
import { sqliteTables } from "../tables/sqlite-tables.ts";
import { readTables } from "./read-tables.ts";
import { adapterOf } from "./test-database.ts";

const client = createClient({ url: ":memory:" });
await client.executeMultiple(readTables("sqlite"));
afterAll(() => client.close());
const db = drizzle(client);

const usersTable = sqliteTable("user", {
  id: text().primaryKey(),
  name: text(),
  email: text().unique(),
  emailVerified: integer({ mode: "timestamp_ms" }),
  image: text(),
});
const tables = sqliteTables({ usersTable: usersTable as never, passkeyNames: true });

// Two versions in one application: package managers install both, and `instanceof` tells their classes apart.
describe("DrizzleAdapter() with the database and a table of another copy of Drizzle", () => {
  adapterContract(sparse({ describe, it, expect }, 5), () => ({ adapter: adapterOf(db as never, tables) }), {
    racers: 4,
    lacks: ["removeSignInMethod"],
  });

  it("puts no value of a query into its errors", async () => {
    const adapter = adapterOf(db as never, tables);
    const user = { id: "canary-id", name: "canary-name", email: "canary@example.com", emailVerified: null };
    await adapter.createUser?.(user);
    const error: unknown = await Promise.resolve(adapter.createUser?.(user)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DrizzleQueryError);
    expect(error).not.toBeInstanceOf(Own);
    const { message, stack, cause, ...members } = error as Error & { readonly cause: Error };
    expect({ message, cause: cause.message }).toEqual({
      message: expect.stringMatching(/^Failed query: insert into/),
      cause: expect.stringContaining("UNIQUE constraint failed"),
    });
    const said = [message, stack, JSON.stringify(members), cause.message, cause.stack, JSON.stringify(cause)].join(
      "\n",
    );
    expect(said).not.toContain("canary");
  });
});
