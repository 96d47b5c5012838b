/** The shared store of an application's processes, in Redis or Valkey. */

export type { IoRedisLike, NodeRedisLike, RedisClientLike } from "./redis-client.ts";
export { type RedisStoreOptions, redisStore } from "./redis-store.ts";
