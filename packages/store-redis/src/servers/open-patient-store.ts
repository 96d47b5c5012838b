import type { Store } from "@cardea/core/adapters";
import { Redis } from "ioredis";
import { redisStore } from "../redis-store.ts";

/** A store for tests with a long timeout, so that a busy machine does not look like an outage. */
export function openPatientStore(url: string): Store {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, retryStrategy: () => 10 });
  redis.on("error", () => {});
  return redisStore(redis, { timeout: 20_000 });
}
