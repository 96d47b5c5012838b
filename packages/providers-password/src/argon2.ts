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

/** Stored hashes that need more than 1 GiB to check are rejected. */
const MAX_KIB = 2 ** 20;

/** Stored hashes that process more memory than this, in KiB, are rejected: a check would take many seconds. */
const MAX_WORK = 2 ** 22;

/** Accepts hashes that begin with `$argon2`: Argon2id, Argon2i and Argon2d in the PHC format, from any library. */
export function argon2(cost: Argon2Cost = {}): HashFormat {
  const { memoryCost, timeCost, parallelism } = { ...DEFAULT, ...cost };
  const options = { memoryCost, timeCost, parallelism, algorithm: ARGON2ID };
  return {
    id: "argon2",
    memory: memoryCost * 1024,
    matches: (text) => read(text) !== null,
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
  const counts = [memoryCost, timeCost, parallelism];
  if (
    !counts.every(Number.isInteger) ||
    parallelism < 1 ||
    timeCost < 1 ||
    memoryCost < 8 * parallelism ||
    memoryCost > MAX_KIB ||
    memoryCost * timeCost > MAX_WORK
  )
    throw new TypeError(
      "argon2id(): costs must be integers. `memoryCost` must be at least 8 KiB per lane and at most 1 GiB; `memoryCost` times `timeCost` at most 4 GiB.",
    );
  const options = { memoryCost, timeCost, parallelism, algorithm: ARGON2ID };
  return {
    ...format,
    hash: async (password) => (await load()).hash(password, options),
    isCurrent: (text) => {
      const found = read(text);
      return found?.type === "id" && found.m === memoryCost && found.t === timeCost && found.p === parallelism;
    },
  };
}

function read(text: string) {
  const [, type, m, t, p] = HASH.exec(text) ?? [];
  const cost = { m: Number(m), t: Number(t), p: Number(p) };
  const isBounded = cost.m <= MAX_KIB && cost.m * cost.t <= MAX_WORK && cost.m >= 8 * cost.p;
  return type !== undefined && isBounded && cost.t >= 1 && cost.p >= 1 ? { type, ...cost } : null;
}

/** Loaded on first use. */
function load(): Promise<typeof import("@node-rs/argon2")> {
  return import("@node-rs/argon2");
}
