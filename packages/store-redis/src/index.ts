/** What the processes of an application share, in Redis or Valkey. */

export type { IoRedisLike, NodeRedisLike, RedisClientLike } from "./redis-client.ts";
export { type RedisStoreOptions, redisStore } from "./redis-store.ts";
