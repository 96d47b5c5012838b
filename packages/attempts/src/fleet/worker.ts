// One process of the test: tries as often as it is told, and says what was let through.

import { redisStore } from "@cardea/store-redis";
import { Redis } from "ioredis";
import { createLimiter } from "../limiter.ts";

const [url = "", times = "", interval = "", given = ""] = process.argv.slice(2);
const timeout = Number(given);
const redis = new Redis(url, { maxRetriesPerRequest: 1, commandTimeout: timeout, retryStrategy: () => 10 });
redis.on("error", () => {});
// The clock stands still: everything is in one interval.
const limiter = createLimiter({
  store: redisStore(redis, { timeout }),
  marker: "cardea:attempts:marker",
  now: () => 1_000_000,
  random: () => crypto.randomUUID(),
  onStoreDown: "local",
});
const limit = { times: Number(times), interval: Number(interval), scope: "account" } as const;

process.on("message", async (tries: unknown) => {
  const verdicts = await Promise.all(
    Array.from({ length: Number(tries) }, () => limiter.take({ key: "cardea:attempts:account", limit })),
  );
  process.send?.(verdicts.filter(({ allow }) => allow).length);
});
process.send?.("ready");
