// Drivers that send statements over HTTP: one by one, or several together.
import { adapterContract, storeContract } from "@cardea/testing";
import type { PGlite } from "@electric-sql/pglite";
import { sql } from "drizzle-orm";
import { NeonHttpSession } from "drizzle-orm/neon-http/session";
import { PgDatabase, PgDialect, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { drizzle as drizzleProxy } from "drizzle-orm/pg-proxy";
import { describe, expect, it } from "vitest";
import { sparse } from "../../../testing/src/long-form.ts";
import { scratchPglite } from "../../../testing/src/scratch-pglite.ts";
import { DrizzleAdapter, type PostgresDatabase } from "../drizzle-adapter.ts";
import { postgresTables } from "../tables/postgres-tables.ts";
import { openPglite } from "./pglite.ts";
import { readTables } from "./read-tables.ts";
import { storeUnderTest } from "./store-under-test.ts";

const server = await scratchPglite();
await server.exec(readTables("postgres"));

/** Fifty in the long form of the tests; the statements are those of other drivers. */
const racers = 50;

interface Query {
  readonly text: string;
  readonly params: unknown[];
  readonly asArrays: boolean;
}

/** Neon's driver for HTTP, which remembers a query until it is awaited or sent with others; on PostgreSQL in this process. */
function createNeonClient() {
  const send = async ({ text: query, params, asArrays }: Query, on: Pick<PGlite, "query"> = server) => {
    const { rows, affectedRows } = await on.query(query, params, { rowMode: asArrays ? "array" : "object", parsers });
    return { rows, rowCount: affectedRows };
  };
  const client = (query: string, params: unknown[], { arrayMode = false } = {}) => {
    const remembered: Query = { text: query, params, asArrays: arrayMode };
    return new RememberedQuery(remembered, () => send(remembered));
  };
  const transaction = (queries: readonly { readonly remembered: Query }[]) =>
    server.transaction(async (open) => {
      const results: unknown[] = [];
      for (const { remembered } of queries) results.push(await send(remembered, open));
      return results;
    });
  return Object.assign(client, { transaction });
}

/** Times as text, as the driver gives them. */
const parsers = { 1114: (value: string) => value };

/** A query that is sent when it is awaited. */
class RememberedQuery<T> implements PromiseLike<T> {
  readonly remembered: Query;
  readonly #send: () => Promise<T>;

  constructor(remembered: Query, send: () => Promise<T>) {
    this.remembered = remembered;
    this.#send = send;
  }

  // biome-ignore lint/suspicious/noThenProperty: Drizzle awaits it
  then<R1 = T, R2 = never>(...handlers: Parameters<typeof Promise.prototype.then<R1, R2>>): Promise<R1 | R2> {
    return this.#send().then(...(handlers as [(value: T) => R1]));
  }
}

function openNeon(): PostgresDatabase {
  const dialect = new PgDialect();
  const session = new NeonHttpSession(createNeonClient() as never, dialect, undefined);
  const db = new PgDatabase(dialect, session, undefined);
  return Object.assign(db, { batch: (statements: never) => session.batch(statements) });
}

describe("DrizzleAdapter() with a driver that sends statements together (neon-http)", () => {
  const db = openNeon();
  const losses: string[] = [];
  const adapter = DrizzleAdapter(db, postgresTables({ passkeyNames: true }), {
    warn: (message) => void losses.push(message),
  });

  it("loses nothing where the table makes the ids of users", () => {
    expect(losses).toEqual([]);
    expect(adapter.createUserWithAccount).toBeTypeOf("function");
  });

  adapterContract(sparse({ describe, it, expect }, 2), () => ({ adapter }), { racers, lacks: ["removeSignInMethod"] });

  describe("its store", () => {
    const makeStore = () => {
      const { hold: _, ...subject } = storeUnderTest(
        { ...unused, db, other: db, adapter },
        postgresTables({ passkeyNames: true }),
      );
      return subject;
    };
    storeContract(sparse({ describe, it, expect }, 2), makeStore, { lacks: ["hold"] });
  });

  it("says what it loses where the database makes them, and creates users all the same", async () => {
    await server.exec(
      'CREATE TABLE person (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text, email text, "emailVerified" timestamp, image text)',
    );
    const usersTable = pgTable("person", {
      id: uuid("id").primaryKey().defaultRandom(),
      name: text("name"),
      email: text("email"),
      emailVerified: timestamp("emailVerified"),
      image: text("image"),
    });
    const said: string[] = [];
    const warn = (message: string) => void said.push(message);
    const loses = DrizzleAdapter(db, postgresTables({ usersTable }), { warn });
    expect(said).toEqual([expect.stringMatching(/^drizzle-sign-up: this driver sends statements in batches/)]);
    expect("createUserWithAccount" in loses).toBe(false);
    const user = { id: "proposed", name: "Ann", email: "ann@example.com", emailVerified: null, image: null };
    const made = await loses.createUser?.(user);
    expect(made?.id).toMatch(/^[\da-f-]{36}$/);
    expect(await loses.getUser?.(made?.id ?? "")).toEqual(made);
    // No text that is not a UUID reaches the column, where it would be an error.
    expect(await loses.getUser?.("proposed")).toBeNull();
    expect(await loses.getUser?.(made?.id.toUpperCase() ?? "")).toBeNull();
  });
});

describe("DrizzleAdapter() with a driver that has no transactions (pg-proxy)", () => {
  const db = drizzleProxy(async (query, params, method) => {
    const { rows } = await server.query<unknown[]>(query, params, { rowMode: "array", parsers });
    return { rows: method === "all" ? rows : rows.slice(0, 1) };
  });
  const losses: string[] = [];
  const adapter = DrizzleAdapter(db, postgresTables({ passkeyNames: true }), {
    warn: (message) => void losses.push(message),
  });

  it("says at start which guarantees fall", () => {
    expect(losses).toEqual([expect.stringMatching(/^drizzle-sign-up: /), expect.stringMatching(/^drizzle-store: /)]);
    expect(["createUserWithAccount", "store"].filter((name) => name in adapter)).toEqual([]);
  });

  adapterContract(sparse({ describe, it, expect }, 3), () => ({ adapter }), {
    racers,
    lacks: ["createUserWithAccount", "removeSignInMethod"],
  });
});

describe("the ids of users that the database makes, with transactions", () => {
  it("are known to the account that is created with the user", async () => {
    const made = await openPglite(
      await scratchPglite(),
      readTables("postgres").replace('"id" text PRIMARY KEY', '"id" text DEFAULT gen_random_uuid() PRIMARY KEY'),
    );
    const usersTable = pgTable("user", {
      id: text("id").primaryKey().default(sql`gen_random_uuid()`),
      name: text("name"),
      email: text("email"),
      emailVerified: timestamp("emailVerified"),
      image: text("image"),
    });
    const adapter = DrizzleAdapter(made.db, postgresTables({ usersTable }));
    const user = { id: "proposed", name: "Ann", email: "ann@example.com", emailVerified: null, image: null };
    const account = { type: "oauth", provider: "example", providerAccountId: "ann" } as const;
    const { id = "" } = (await adapter.createUserWithAccount?.(user, account)) ?? {};
    expect(id).not.toBe("proposed");
    expect(await adapter.getUserByAccount?.(account)).toMatchObject({ id, name: "Ann" });
    await made.close();
  });
});

/** Members of a test database that the store does not use. */
const unused = {
  run: () => Promise.resolve(),
  statements: () => [],
  close: () => Promise.resolve(),
};
