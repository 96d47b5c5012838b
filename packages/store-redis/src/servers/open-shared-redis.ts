import type { Store } from "@cardea/core/adapters";
import { Redis } from "ioredis";
import { redisStore } from "../redis-store.ts";
import { startRedis } from "./start-redis.ts";

const LIFE = 30 * 24 * 60 * 60;

const entryOf = (id: string): string =>
  JSON.stringify([["end", "sid", id, Math.floor(Date.now() / 1000) + LIFE, "ended"]]);

const idOf = (n: number): string => n.toString(16).padStart(32, "0");

/** A server of its own with the store on it, and what a measurement does to the log of ended sessions. */
export async function openSharedRedis() {
  const server = await startRedis();
  const redis = new Redis(server.url, { maxRetriesPerRequest: 1 });
  const log = "{cardea:sessions}/log";
  return {
    store: redisStore(redis) satisfies Store,
    async fill(records: number) {
      const [, fields] = (await redis.xrevrange(log, "+", "-", "COUNT", 1))[0] ?? [];
      const end = String(Date.now() + LIFE * 1000);
      for (let from = 0; from < records; from += 1000) {
        const pipeline = redis.pipeline();
        for (let n = from; n < Math.min(records, from + 1000); n++) {
          const id = idOf(n);
          pipeline.xadd(log, "*", "g", fields?.[1] ?? "none", "m", id.slice(0, 8), "x", end, "e", entryOf(id));
          pipeline.set(`{cardea:sessions}:filled ${id}`, "ended", "EX", LIFE);
        }
        await pipeline.exec();
      }
    },
    async lag(records: number) {
      const last = await redis.xrevrange(log, "+", "-", "COUNT", records);
      await redis.xdel(log, ...last.map(([id]) => id));
    },
    empty: async () => void (await redis.flushall()),
    /** Bytes in use. */
    memory: async () => Number(/used_memory:(\d+)/.exec(await redis.info("memory"))?.[1]),
    keys: () => redis.dbsize(),
    async close() {
      redis.disconnect();
      await server.close();
    },
  };
}
