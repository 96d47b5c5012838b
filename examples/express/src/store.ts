import { redisStore } from "@cardea/store-redis";

/** What the processes of the demo share: counters of attempts, and the sessions that were ended. */
export type Store = ReturnType<typeof redisStore>;

/** Connects to Redis. While it is away each call fails at once, and it is looked for again and again. */
export async function openStore(url: string): Promise<{ readonly store: Store; close(): Promise<void> }> {
  // Loaded only where there is a Redis.
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    commandTimeout: 1000,
    connectTimeout: 1000,
    retryStrategy: (attempt) => Math.min(attempt * 50, 2000),
  });
  redis.on("error", (error) => console.warn(`Redis: ${error.message}`));
  return { store: redisStore(redis), close: async () => redis.disconnect() };
}
