import type { Hasher } from "./format.ts";
import { isEqual, nodeCrypto } from "./node-crypto.ts";
import { formatPhc, parsePhc } from "./phc.ts";

/** Cost of scrypt (RFC 7914 §2). */
export interface ScryptCost {
  /** CPU and memory cost, a power of two; default 2^17, in Workers 2^15. */
  readonly N?: number;
  /** Block size; default 8. */
  readonly r?: number;
  /** Parallelization; default 1, in Workers 3. */
  readonly p?: number;
}

const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Memory in bytes, and what is processed over all lanes. */
interface Bound {
  readonly memory: number;
  readonly work: number;
}

/**
 * Stored hashes that cost more to check are rejected, unless new hashes cost as much: a few sign-ins would use up the memory and the
 * processors of a server. Libraries make hashes of at most 128 MiB, unless they are told otherwise.
 */
const STORED: Bound = { memory: 2 ** 28, work: 2 ** 29 };

/** The highest cost of new hashes: they would take many seconds. */
const CHOSEN: Bound = { memory: 2 ** 30, work: 2 ** 32 };

/** OWASP Password Storage Cheat Sheet: both have the same strength. A Worker has 128 MB in total. */
const DEFAULT = { N: 2 ** 17, r: 8, p: 1 };
const WORKERS = { N: 2 ** 15, r: 8, p: 3 };

const memoryOf = (N: number, r: number) => 128 * N * r;

const isBounded = (N: number, r: number, p: number, { memory, work }: Bound) =>
  memoryOf(N, r) <= memory && p * memoryOf(N, r) <= work;

/**
 * Hashes passwords with scrypt, in the PHC format. Stored hashes may need up to 256 MiB and process up to 512 MiB, or what new ones do.
 *
 * @throws TypeError for an invalid cost.
 */
export function scrypt(cost: ScryptCost = {}): Hasher {
  const { N, r, p } = { ...(isWorker() ? WORKERS : DEFAULT), ...cost };
  const isPowerOfTwo = Number.isInteger(Math.log2(N)) && N >= 2 && N <= 2 ** 24;
  if (!isPowerOfTwo || !isCount(r, 64) || !isCount(p, 64) || !isBounded(N, r, p, CHOSEN))
    throw new TypeError(
      "scrypt(): `N` must be a power of two, and `r` and `p` integers from 1 to 64. The limit is 1 GiB per lane and 4 GiB in total.",
    );
  const params = { ln: Math.log2(N), r, p };
  const memory = memoryOf(N, r);
  const limit: Bound = { memory: Math.max(STORED.memory, memory), work: Math.max(STORED.work, p * memory) };
  const read = (text: string) => {
    const parsed = parsePhc(text);
    const { ln = 0, r: blocks = 0, p: lanes = 0 } = parsed?.params ?? {};
    const isOurs = parsed?.id === "scrypt" && isCount(ln, 24) && isCount(blocks, 64) && isCount(lanes, 64);
    if (!isOurs || !isBounded(2 ** ln, blocks, lanes, limit)) return null;
    return { ...parsed, cost: { N: 2 ** ln, r: blocks, p: lanes } };
  };
  const hash = async (password: string) => {
    const salt = nodeCrypto().randomBytes(SALT_BYTES);
    return formatPhc({ id: "scrypt", params, salt, hash: await deriveScrypt(password, salt, KEY_BYTES, { N, r, p }) });
  };
  return {
    id: "scrypt",
    memory,
    memoryOf: (text) => {
      const { cost } = read(text) ?? {};
      return cost === undefined ? memory : memoryOf(cost.N, cost.r);
    },
    hash,
    sample: () => hash("sample"),
    matches: (text) => read(text) !== null,
    isCurrent: (text) => {
      const found = read(text)?.cost;
      return found?.N === N && found.r === r && found.p === p;
    },
    async verify(password, text) {
      const found = read(text);
      if (found === null) return false;
      return isEqual(await deriveScrypt(password, found.salt, found.hash.byteLength, found.cost), found.hash);
    },
  };
}

/** Runs scrypt in libuv's thread pool. */
export function deriveScrypt(
  password: string,
  salt: Uint8Array,
  length: number,
  cost: Required<ScryptCost>,
): Promise<Uint8Array> {
  const maxmem = 2 * memoryOf(cost.N, cost.r) + 1024 * 1024;
  return new Promise((resolve, reject) => {
    nodeCrypto().scrypt(password, salt, length, { ...cost, maxmem }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

function isCount(value: number | undefined, max: number): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 1 && value <= max;
}

/** https://developers.cloudflare.com/workers/runtime-apis/web-standards/#navigatoruseragent */
function isWorker(): boolean {
  const navigator: unknown = Reflect.get(globalThis, "navigator");
  const agent: unknown = typeof navigator === "object" && navigator !== null && Reflect.get(navigator, "userAgent");
  return agent === "Cloudflare-Workers";
}
