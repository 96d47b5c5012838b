import type { Check, RedisFacts } from "../facts.ts";

/** Runs a check on the server's `INFO`; finds nothing without `--redis`, or if `INFO` is unavailable. */
const of =
  (look: (info: ReadonlyMap<string, string>, redis: RedisFacts) => string | undefined, remedy: string): Check =>
  ({ redis }) => {
    const what = redis?.info === undefined ? undefined : look(redis.info, redis);
    return redis === undefined || what === undefined ? [] : [{ where: redis.where, what, remedy }];
  };

/** Checks of the store's Redis or Valkey, with `--redis` (docs/stores.md). */
export const redisChecks: Readonly<Record<string, Check>> = {
  "redis-unreachable": ({ redis }) =>
    redis === undefined || redis.info !== undefined
      ? []
      : [
          {
            where: redis.where,
            what: redis.refusal === undefined ? "no response" : `the server rejected the request: ${redis.refusal}`,
            remedy: "Check the address, user and password, and that this machine is allowed to connect.",
          },
        ],
  "redis-eviction": of((info) => {
    const policy = info.get("maxmemory_policy");
    return policy === undefined || policy === "noeviction"
      ? undefined
      : `maxmemory-policy is ${policy}, so a full server evicts counters and ended sessions`;
  }, "Set `maxmemory-policy noeviction`. If other applications need eviction, use a separate server for the store."),
  "redis-not-persistent": of(
    (info) => (info.get("aof_enabled") === "0" ? "appendonly is off, so data is lost on restart" : undefined),
    "Set `appendonly yes` and `appendfsync everysec`.",
  ),
  "redis-write-failed": of((info) => {
    const failed = ["aof_last_write_status", "aof_last_bgrewrite_status", "rdb_last_bgsave_status"].filter(
      (name) => (info.get(name) ?? "ok") !== "ok",
    );
    return failed.length > 0 ? `the server could not write to disk (${failed.join(", ")})` : undefined;
  }, "Check the server log and the free disk space."),
  "redis-replica": of(
    (info) => (info.get("role") === "slave" ? "the server is a read-only replica" : undefined),
    "Connect to the primary, or through Sentinel or Cluster.",
  ),
};
