import type { Store } from "@cardea/core/adapters";
import { holdTransaction } from "../../../testing/src/served-databases.ts";
import { PrismaAdapter } from "../prisma-adapter.ts";
import type { PrismaClientLike } from "../prisma-client.ts";
import type { GeneratedClient } from "./generate-client.ts";

interface Row {
  readonly expires: Date | null;
  readonly [column: string]: unknown;
}

/** The two tables of the store, as a test changes them. */
interface Tables {
  readonly state: Table;
  readonly stateLog: Table;
  $transaction(work: (transaction: PrismaClientLike) => Promise<void>, options: object): Promise<void>;
}

interface Table {
  findMany(): Promise<Row[]>;
  deleteMany(): Promise<unknown>;
  createMany(args: { data: readonly Row[] }): Promise<unknown>;
}

/** The store of an adapter. Throws if it has none. */
function storeOf(client: PrismaClientLike): Store {
  const { store } = PrismaAdapter(client);
  if (store === undefined) throw new Error("The adapter has no store.");
  return store;
}

/**
 * The store of a client, and what a test does to its tables.
 *
 * @param other another client of the same database, with connections of its own.
 */
export function storeUnderTest(client: GeneratedClient, other: GeneratedClient = client) {
  const tables = parseTables(client);
  const both = [tables.state, tables.stateLog];
  const replaceRows = async (table: Table, rows: readonly Row[]): Promise<void> => {
    await table.deleteMany();
    await table.createMany({ data: rows });
  };
  return {
    store: storeOf(client),
    other: storeOf(other),
    async advance(seconds: number) {
      const earlier = (end: Date | null) => end && new Date(end.getTime() - seconds * 1000);
      for (const table of both) {
        const rows = await table.findMany();
        await replaceRows(
          table,
          rows.map((row) => ({ ...row, expires: earlier(row.expires) })),
        );
      }
    },
    async lose() {
      for (const table of both) await table.deleteMany();
    },
    async checkpoint() {
      const copies = await Promise.all(both.map((table) => table.findMany()));
      return async () => {
        for (const [n, table] of both.entries()) await replaceRows(table, copies[n] ?? []);
      };
    },
    hold: (work: (store: Store) => Promise<unknown>) =>
      holdTransaction<PrismaClientLike>(
        (body) => tables.$transaction(body, { timeout: 20_000 }),
        (transaction) => work(storeOf(transaction)),
      ),
  };
}

/** A cast: the models are in the schema that the client was generated from. */
function parseTables(client: GeneratedClient): Tables {
  return client as unknown as Tables;
}
