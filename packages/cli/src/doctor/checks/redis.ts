import type { Check, RedisFacts } from "../facts.ts";

/** Looks at what the server said of itself; nothing without `--redis`, or where it said nothing. */
const of =
  (look: (info: ReadonlyMap<string, string>, redis: RedisFacts) => string | undefined, remedy: string): Check =>
  ({ redis }) => {
    const what = redis?.info === undefined ? undefined : look(redis.info, redis);
    return redis === undefined || what === undefined ? [] : [{ where: redis.where, what, remedy }];
  };

/** Faults of the Redis or Valkey that holds the store: with `--redis` (docs/stores.md). */
export const redisChecks: Readonly<Record<string, Check>> = {
  "redis-unreachable": ({ redis }) =>
    redis === undefined || redis.info !== undefined
      ? []
      : [
          {
            where: redis.where,
            what: redis.refusal === undefined ? "there was no answer" : `the server refuses: ${redis.refusal}`,
            remedy: "Check the address, the user and the password, and that this machine may connect.",
          },
        ],
  "redis-eviction": of((info) => {
    const policy = info.get("maxmemory_policy");
    return policy === undefined || policy === "noeviction"
      ? undefined
      : `maxmemory-policy is ${policy}: a full server removes counters and ended sessions`;
  }, "Set `maxmemory-policy noeviction`, and give the store a server of its own if others need eviction."),
  "redis-not-persistent": of(
    (info) => (info.get("aof_enabled") === "0" ? "appendonly is off: a restart forgets what was written" : undefined),
    "Set `appendonly yes` and `appendfsync everysec`.",
  ),
  "redis-write-failed": of((info) => {
    const failed = ["aof_last_write_status", "aof_last_bgrewrite_status", "rdb_last_bgsave_status"].filter(
      (name) => (info.get(name) ?? "ok") !== "ok",
    );
    return failed.length > 0 ? `it could not write to its disk (${failed.join(", ")})` : undefined;
  }, "Look at the server's log, and at the free space of its disk."),
  "redis-replica": of(
    (info) => (info.get("role") === "slave" ? "this is a replica: it takes no writes" : undefined),
    "Let the application connect to the primary, or through what follows it (Sentinel, Cluster).",
  ),
};
