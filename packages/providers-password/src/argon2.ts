/** Argon2id by @node-rs/argon2, which runs in its own threads: new passwords with `argon2id()`, imported ones with `argon2()`. */
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

/** The number of Argon2id in @node-rs/argon2, whose enum has no value in a build by file. */
const ARGON2ID = 2;

const HASH =
  /^\$argon2(id|i|d)\$v=(?:16|19)\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,171}$/;

/** A stored hash whose check would need more than 1 GiB is not accepted. */
const MAX_KIB = 2 ** 20;

/** Nor one that goes through more memory than this, in KiB: its check would take many seconds. */
const MAX_WORK = 2 ** 22;

/** Accepts hashes that begin with `$argon2`: Argon2id, Argon2i and Argon2d, of any library that writes the PHC format. */
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
      // It rejects for text that only looks like a hash, and that is the hash of no password.
      return verify(text, password).catch(() => false);
    },
  };
}

/**
 * Hashes new passwords with Argon2id. Needs @node-rs/argon2.
 *
 * @throws TypeError for a cost below what RFC 9106 allows.
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
      "argon2id(): costs must be whole numbers, `memoryCost` in KiB at least eight for each lane and at most 1 GiB; with `timeCost` passes at most 4 GiB.",
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

/** Loaded with the first password. */
function load(): Promise<typeof import("@node-rs/argon2")> {
  return import("@node-rs/argon2");
}
