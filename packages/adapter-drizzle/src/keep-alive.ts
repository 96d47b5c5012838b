/** The members of a pool of `pg` that are used. */
interface Pool {
  readonly totalCount: number;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "connect", listener: (client: { on(event: "error", listener: () => void): unknown }) => void): unknown;
  listenerCount(event: string): number;
}

function isPool(value: unknown): value is Pool {
  const { totalCount, on, listenerCount }: Partial<Pool> = Object(value);
  return typeof totalCount === "number" && typeof on === "function" && typeof listenerCount === "function";
}

/**
 * Adds the listeners that a pool of `pg` needs to survive a restart of the database, unless the application has added its own. `drizzle(url)`
 * makes a pool without any: when the database ends an idle connection, the process would end. Drizzle has none for the connection
 * of a transaction either. Queries are rejected as before.
 */
export function surviveRestarts(db: object, warn: (message: string) => void): void {
  const pool: unknown = Reflect.get(db, "$client");
  if (!isPool(pool)) return;
  if (pool.listenerCount("error") === 0)
    pool.on("error", ({ message }) => warn(`drizzle-connection: the database ended an idle connection: ${message}`));
  if (pool.listenerCount("connect") === 0) pool.on("connect", (client) => client.on("error", () => undefined));
}
