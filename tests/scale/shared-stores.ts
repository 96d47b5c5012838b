import type { Store } from "@cardea/core/adapters";
import {
  openSharedMariadb,
  openSharedPostgres,
  openSharedSqlite,
} from "../../packages/adapter-kysely/src/databases/open-shared-database.ts";
import { openSharedRedis } from "../../packages/store-redis/src/servers/open-shared-redis.ts";
import { installedServers } from "../../packages/store-redis/src/servers/start-redis.ts";
import { whereReachable } from "../../packages/testing/src/served-databases.ts";

/** A store on a real server, and what a measurement does to its data. */
export interface SharedStore {
  readonly store: Store;
  /** Adds records of ended sessions to the log, each with its key, as as many sign-outs would. */
  fill(records: number): Promise<void>;
  /** Removes the newest records, like a failover to a replica that lags behind. */
  lag(records: number): Promise<void>;
  /** Deletes everything. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** The servers, by name. Each resolves to undefined, with a warning, where there is none. */
export const sharedStores: Readonly<Record<string, () => Promise<SharedStore | undefined>>> = {
  Redis: async () => (installedServers().includes("redis-server") ? openSharedRedis() : undefined),
  PostgreSQL: () => whereReachable("PostgreSQL", openSharedPostgres),
  MariaDB: () => whereReachable("MariaDB", openSharedMariadb),
  SQLite: () => openSharedSqlite(),
};
