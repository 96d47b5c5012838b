/**
 * Argon2 with @node-rs/argon2, which runs in separate threads: `argon2id()` for new passwords, `argon2()` for imported
 * hashes.
 */
import type { Hasher, HashFormat } from "./hash/format.ts";

/** Cost of Argon2id (RFC 9106 §4). */
export interface Argon2Cost {
  /** KiB; default 19456. */
  readonly memoryCost?: number;
  /** Passes; default 2. */
  readonly timeCost?: number;
  /** Lanes; default 1. */
  readonly parallelism?: number;
}

/** OWASP Password Storage Cheat Sheet. */
const DEFAULT = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Value of Argon2id in the enum of @node-rs/argon2, which is not available in single-file builds. */
const ARGON2ID = 2;

const HASH =
  /^\$argon2(id|i|d)\$v=(?:16|19)\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,171}$/;

/** Memory in KiB, and what is processed over all passes. */
interface Bound {
  readonly memory: number;
  readonly work: number;
}

/**
 * Stored hashes that cost more to check are rejected, unless the format is configured with that cost: a few sign-ins would use up the
 * memory and the processors of a server. Libraries make hashes of 4 to 100 MiB, unless they are told otherwise.
 */
const STORED: Bound = { memory: 2 ** 18, work: 2 ** 20 };

/** The highest cost that can be configured: a check takes many seconds. */
const CHOSEN: Bound = { memory: 2 ** 20, work: 2 ** 22 };

/**
 * Accepts hashes that begin with `$argon2`: Argon2id, Argon2i and Argon2d in the PHC format, from any library.
 *
 * @param cost The highest cost of the hashes, if that is more than 256 MiB, or 1 GiB over all passes.
 * @throws TypeError for a cost that RFC 9106 does not allow.
 */
export function argon2(cost: Argon2Cost = {}): HashFormat {
  const { memoryCost, timeCost, parallelism } = { ...DEFAULT, ...cost };
  requireCost(memoryCost, timeCost, parallelism);
  const options = { memoryCost, timeCost, parallelism, algorithm: ARGON2ID };
  const limit: Bound = {
    memory: Math.max(STORED.memory, memoryCost),
    work: Math.max(STORED.work, memoryCost * timeCost),
  };
  return {
    id: "argon2",
    memory: memoryCost * 1024,
    memoryOf: (text) => 1024 * (read(text, limit)?.m ?? memoryCost),
    matches: (text) => read(text, limit) !== null,
    sample: async () => (await load()).hash("sample", options),
    async verify(password, text) {
      const { verify } = await load();
      // Rejects for a malformed hash, which matches no password.
      return verify(text, password).catch(() => false);
    },
  };
}

/**
 * Hashes new passwords with Argon2id. Requires @node-rs/argon2.
 *
 * @throws TypeError for a cost that RFC 9106 does not allow.
 */
export function argon2id(cost: Argon2Cost = {}): Hasher {
  const format = argon2(cost);
  const { memoryCost, timeCost, parallelism } = { ...DEFAULT, ...cost };
  const options = { memoryCost, timeCost, parallelism, algorithm: ARGON2ID };
  return {
    ...format,
    hash: async (password) => (await load()).hash(password, options),
    isCurrent: (text) => {
      const found = read(text, CHOSEN);
      return found?.type === "id" && found.m === memoryCost && found.t === timeCost && found.p === parallelism;
    },
  };
}

function requireCost(memoryCost: number, timeCost: number, parallelism: number): void {
  const isSound = [memoryCost, timeCost, parallelism].every(Number.isInteger) && parallelism >= 1 && timeCost >= 1;
  const isBounded = memoryCost <= CHOSEN.memory && memoryCost * timeCost <= CHOSEN.work;
  if (!isSound || !isBounded || memoryCost < 8 * parallelism)
    throw new TypeError(
      "argon2() and argon2id(): costs must be integers. `memoryCost` must be at least 8 KiB per lane and at most 1 GiB; `memoryCost` times `timeCost` at most 4 GiB.",
    );
}

function read(text: string, limit: Bound) {
  const [, type, m, t, p] = HASH.exec(text) ?? [];
  const cost = { m: Number(m), t: Number(t), p: Number(p) };
  const isBounded = cost.m <= limit.memory && cost.m * cost.t <= limit.work && cost.m >= 8 * cost.p;
  return type !== undefined && isBounded && cost.t >= 1 && cost.p >= 1 ? { type, ...cost } : null;
}

/** Loaded on first use. */
function load(): Promise<typeof import("@node-rs/argon2")> {
  return import("@node-rs/argon2");
}
