// Tables of an application's own: other names, another schema, other columns.
import { adapterContract } from "@cardea/testing";
import { createClient } from "@libsql/client";
import { getTableName } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { mysqlTable, varchar } from "drizzle-orm/mysql-core";
import { integer, sqliteTable, sqliteTableCreator, text } from "drizzle-orm/sqlite-core";
import { afterAll, describe, expect, it } from "vitest";
import { RACERS } from "../../testing/src/long-form.ts";
import { readTables } from "./databases/read-tables.ts";
import { DrizzleAdapter } from "./drizzle-adapter.ts";
import { sqliteTables } from "./tables/sqlite-tables.ts";

const client = createClient({ url: ":memory:" });
afterAll(() => client.close());

/** The tables of this package under other names. */
const inSnakeCase = readTables("sqlite")
  .replace(/`(\w+)`/g, (_, name: string) => `\`${name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase()}\``)
  .replace(/(TABLE|ON|REFERENCES|INDEX) `(\w+)`/g, "$1 `app_$2`");

describe("sqliteTables() with a prefix and snake_case", async () => {
  await client.executeMultiple(inSnakeCase);
  const tables = sqliteTables({
    casing: "snake_case",
    passkeyNames: true,
    table: sqliteTableCreator((name) => `app_${name}`),
  });
  const adapter = DrizzleAdapter(drizzle(client), tables);

  it("names tables and columns so", () => {
    expect(getTableName(tables.verificationTokensTable)).toBe("app_verification_token");
    expect(tables.authenticatorsTable.credentialID.name).toBe("credential_id");
    expect(tables.accountsTable.access_token.name).toBe("access_token");
  });

  adapterContract({ describe, it, expect }, () => ({ adapter }), { racers: RACERS, lacks: ["removeSignInMethod"] });

  it("has a store in its tables", async () => {
    await adapter.store?.set("key", "text", { ttl: 60 });
    await adapter.store?.log?.append("log", "entry", { ttl: 60 });
    expect(await adapter.store?.get("key")).toBe("text");
    expect((await adapter.store?.log?.since("log", null))?.entries).toEqual(["entry"]);
  });
});

describe("columns that Drizzle names by `casing`", async () => {
  await client.executeMultiple(
    "CREATE TABLE member (id text PRIMARY KEY, name text, email text UNIQUE, email_verified integer, image text, user_role text DEFAULT 'guest');",
  );
  const usersTable = sqliteTable("member", {
    id: text().primaryKey(),
    name: text(),
    email: text(),
    emailVerified: integer({ mode: "timestamp_ms" }),
    image: text(),
    userRole: text(),
  });
  const tables = sqliteTables({ usersTable });
  const adapter = DrizzleAdapter(drizzle(client, { casing: "snake_case" }), tables);
  const user = { id: "made-by-core", name: "Ann", email: "ann@example.com", emailVerified: new Date(1), image: null };

  it("are found, and those that the application added are read and written", async () => {
    const made = await adapter.createUser?.(Object.assign({ userRole: "admin", unknown: "x" }, user));
    expect(made).toEqual({ ...user, userRole: "admin" });
    expect(await adapter.getUserByEmail?.("ann@example.com")).toEqual(made);
    expect(await adapter.updateUser?.({ id: "made-by-core", image: "/ann.png" })).toEqual({
      ...made,
      image: "/ann.png",
    });
  });
});

describe("tables that do not fit", () => {
  const db = drizzle(client);
  const usersTable = sqliteTable("user", { id: text().primaryKey() });

  it("are refused at start, by name and by what they lack", () => {
    const tables = { usersTable, accountsTable: usersTable };
    // @ts-expect-error: they lack columns.
    const attempt = () => DrizzleAdapter(db, tables);
    expect(attempt).toThrow("`usersTable` lacks columns that the adapter needs: name, email, emailVerified, image.");
  });

  it("are refused where they belong to another database", () => {
    const other = mysqlTable("user", { id: varchar({ length: 36 }).primaryKey() });
    // @ts-expect-error: a table of MySQL.
    expect(() => DrizzleAdapter(db, { ...sqliteTables(), usersTable: other })).toThrow("usersTable");
  });

  it("are refused at start where ids are numbers, or times are text", () => {
    const columns = { name: text(), email: text(), image: text() };
    const times = { emailVerified: integer({ mode: "timestamp_ms" }) };
    const numbered = sqliteTable("user", { id: integer().primaryKey(), ...columns, ...times });
    const attempt = (table: object) => () => DrizzleAdapter(db, { ...sqliteTables(), usersTable: table as never });
    expect(attempt(numbered)).toThrow("`usersTable.id` must hold text, not number");
    const written = sqliteTable("user", { id: text().primaryKey(), ...columns, emailVerified: text() });
    expect(attempt(written)).toThrow("`usersTable.emailVerified` must hold dates, not string");
  });
});
