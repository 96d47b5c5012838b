import type { Store } from "@cardea/core/adapters";
import { toMilliseconds, toOptionalMilliseconds } from "./milliseconds.ts";
import { type RedisClientLike, sender } from "./redis-client.ts";
import { redisKey } from "./redis-key.ts";
import { redisLog } from "./redis-log.ts";
import { addScript, swapScript } from "./scripts.ts";

/** Settings of {@link redisStore}. */
export interface RedisStoreOptions {
  /** In front of every key, where several applications share a server; default none. Without `{` and `}`. */
  readonly prefix?: string;
  /** Milliseconds until a call counts as failed; default 1000. */
  readonly timeout?: number;
}

/**
 * A store in Redis (7 or later; 6.2 has all commands that are used) or Valkey.
 *
 * A call rejects when the client has no connection, when the server answers with an error, and when there is no answer within
 * `timeout`: whether it was done is then unknown.
 *
 * @param client of `ioredis` or `redis`; set it up to fail at once and to reconnect for ever (docs/stores.md#redis).
 */
export function redisStore(client: RedisClientLike, { prefix = "", timeout = 1000 }: RedisStoreOptions = {}): Store {
  if (/[{}]/.test(prefix)) throw new TypeError("`prefix` of redisStore() must not hold { or }.");
  const send = sender(client, timeout);
  const keyOf = (kind: "text" | "log", key: string) => redisKey(prefix, kind, key);
  return {
    async get(key) {
      const text = await send("GET", keyOf("text", key));
      return text === null || text === undefined ? null : String(text);
    },
    async set(key, value, { ttl, ifAbsent }) {
      const life = ttl === null ? [] : ["PX", toMilliseconds(ttl)];
      const reply = await send("SET", keyOf("text", key), value, ...life, ...(ifAbsent === true ? ["NX"] : []));
      return reply !== null && reply !== undefined;
    },
    async add(key, by, { ttl }) {
      if (!Number.isSafeInteger(by)) throw new RangeError(`A counter is a safe integer; ${by} cannot be added to it.`);
      const reply = await send("EVAL", addScript, "1", keyOf("text", key), String(by), toOptionalMilliseconds(ttl));
      const [value, rest] = Array.isArray(reply) ? reply.map(Number) : [];
      if (value === undefined || rest === undefined)
        throw new TypeError("Redis answered EVAL with something unexpected.");
      return { value, ttl: rest < 0 ? null : Math.ceil(rest / 1000) };
    },
    async swap(key, expected, next, { ttl }) {
      const before = expected === null ? ["0", ""] : ["1", expected];
      const after = next === null ? ["0", ""] : ["1", next];
      const life = toOptionalMilliseconds(ttl);
      return Number(await send("EVAL", swapScript, "1", keyOf("text", key), ...before, ...after, life)) === 1;
    },
    log: redisLog(send, keyOf),
  };
}
