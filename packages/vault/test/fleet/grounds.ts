// What the processes of a fleet share: a Redis beside a database in memory, or one database with the adapter's own store.

import { KyselyAdapter } from "@cardea/adapter-kysely";
import type { Adapter, Store } from "@cardea/core/adapters";
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { connectMariadb, openMariadb } from "../../../adapter-kysely/src/databases/mariadb.ts";
import { connectPostgres, openPostgres } from "../../../adapter-kysely/src/databases/postgres.ts";

import { openPatientStore } from "../../../store-redis/src/servers/open-patient-store.ts";
import { installedServers, startRedis } from "../../../store-redis/src/servers/start-redis.ts";
import { whereReachable } from "../../../testing/src/served-databases.ts";

/** On what a fleet stands. */
export type GroundName = "Redis" | "PostgreSQL" | "MariaDB";

/** Rows that a process begins with, where there is no database. */
export type Seed = Pick<ReturnType<MemoryAdapter["snapshot"]>, "users" | "accounts">;

/** How a process reaches it. */
export interface Place {
  readonly name: GroundName;
  readonly url: string;
}

/** What an application is configured with. */
export interface Ground {
  readonly adapter: Adapter;
  readonly store: Store;
  /** For other processes; undefined where they find the rows themselves. */
  readonly seed: () => Seed | undefined;
  close(): Promise<unknown>;
}

/** A ground of a test's own. */
export interface StartedGround {
  readonly place: Place;
  close(): Promise<void>;
}

/** Reaches what {@link startGround} started. */
export function openGround({ name, url }: Place, seed?: Seed): Ground {
  if (name === "Redis") return openRedis(url, seed);
  const db = name === "PostgreSQL" ? connectPostgres(url) : connectMariadb(url);
  const adapter = KyselyAdapter(db);
  if (adapter.store === undefined) throw new Error("The adapter has no store.");
  return { adapter, store: adapter.store, seed: () => undefined, close: () => db.destroy() };
}

/** An adapter as those of npm, which cannot replace tokens: they lie in the store. */
function openRedis(url: string, seed: Seed | undefined): Ground {
  const { store, close } = openPatientStore(url);
  const memory = createMemoryAdapter(seed === undefined ? {} : { seed });
  const { swapAccountTokens, listAccountsByUserId, store: own, ...adapter } = memory.adapter;
  return {
    adapter,
    store,
    seed: () => {
      const { users, accounts } = memory.snapshot();
      return { users, accounts };
    },
    close: async () => close(),
  };
}

/** Starts a server, or makes a database on the machine's; undefined, with a warning, where there is none. */
export async function startGround(name: GroundName): Promise<StartedGround | undefined> {
  if (name === "Redis") {
    if (!installedServers().includes("redis-server")) return undefined;
    const server = await startRedis();
    return { place: { name, url: server.url }, close: () => server.close() };
  }
  const database = await whereReachable(name, () => (name === "PostgreSQL" ? openPostgres() : openMariadb()));
  return database && { place: { name, url: database.url }, close: () => database.close() };
}
