// One process of the test: makes the requested number of attempts and reports how many were allowed.

import { redisStore } from "@cardea/store-redis";
import { Redis } from "ioredis";
import { createLimiter } from "../limiter.ts";

const [url = "", times = "", interval = ""] = process.argv.slice(2);
const redis = new Redis(url, { maxRetriesPerRequest: 1, retryStrategy: () => 10 });
redis.on("error", () => {});
let time = 1_000_000;
const limiter = createLimiter({
  // Calls to a killed server fail when its connection ends, not when their time is over.
  store: redisStore(redis, { timeout: 20_000 }),
  marker: "cardea:attempts:marker",
  now: () => time,
  random: () => crypto.randomUUID(),
  onStoreDown: "local",
});
const limit = { times: Number(times), interval: Number(interval), scope: "account" } as const;

/** Concurrent attempts at a given time. The clock stands still unless it is set. */
export interface Round {
  readonly tries: number;
  readonly at?: number;
}

process.on("message", async ({ tries, at = time }: Round) => {
  time = at;
  const verdicts = await Promise.all(
    Array.from({ length: tries }, () =>
      limiter.take([{ key: "cardea:attempts:account", own: "", limits: [limit], row: "none" }]),
    ),
  );
  process.send?.(verdicts.filter(({ allow }) => allow).length);
});
process.send?.("ready");
