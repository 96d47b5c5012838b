import type { Store } from "@cardea/core/adapters";
import { Redis } from "ioredis";
import { type RedisStoreOptions, redisStore } from "../redis-store.ts";

/** A store for tests with a long timeout, so that a busy machine does not look like an outage; and what closes its client. */
export function openPatientStore(
  url: string,
  options: RedisStoreOptions = {},
): { readonly store: Store; close(): void } {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, retryStrategy: () => 10 });
  redis.on("error", () => {});
  return { store: redisStore(redis, { timeout: 20_000, ...options }), close: () => redis.disconnect() };
}
