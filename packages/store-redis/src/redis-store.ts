import type { Store } from "@cardea/core/adapters";
import { toMilliseconds, toOptionalMilliseconds } from "./milliseconds.ts";
import { type RedisClientLike, sender } from "./redis-client.ts";
import { redisKey } from "./redis-key.ts";
import { redisLog } from "./redis-log.ts";
import { addScript, swapScript } from "./scripts.ts";

/** Settings of {@link redisStore}. */
export interface RedisStoreOptions {
  /** Prefix of every key, for a server shared by several applications; default none. Must not contain `{` or `}`. */
  readonly prefix?: string;
  /** Timeout of a call in milliseconds, at most 2³¹ - 1; default 1000. */
  readonly timeout?: number;
}

/** Timers with a longer delay fire at once. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/**
 * A store in Redis (7 or later; 6.2 has all required commands) or Valkey.
 *
 * A call rejects if the client is not connected, if the server returns an error, or on timeout; after a timeout it is
 * unknown whether the call took effect.
 *
 * @param client Client of `ioredis` or `redis`. Configure it to fail immediately and to keep reconnecting
 * (docs/stores.md#redis).
 * @throws TypeError for an invalid prefix or timeout.
 */
export function redisStore(client: RedisClientLike, { prefix = "", timeout = 1000 }: RedisStoreOptions = {}): Store {
  if (/[{}]/.test(prefix)) throw new TypeError("`prefix` of redisStore() must not contain { or }.");
  if (!(timeout > 0 && timeout <= MAX_TIMEOUT))
    throw new TypeError(`\`timeout\` of redisStore() must be 1 to ${MAX_TIMEOUT} milliseconds, not ${timeout}.`);
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
      if (!Number.isSafeInteger(by)) throw new RangeError(`Counters must be safe integers; cannot add ${by}.`);
      const reply = await send("EVAL", addScript, "1", keyOf("text", key), String(by), toOptionalMilliseconds(ttl));
      const [value, rest] = Array.isArray(reply) ? reply.map(Number) : [];
      if (value === undefined || rest === undefined) throw new TypeError("Unexpected Redis response to EVAL.");
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
