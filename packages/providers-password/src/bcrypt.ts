/**
 * Hashes of bcrypt, and those of WordPress, which are based on it. Requires @node-rs/bcrypt, which runs in separate
 * threads.
 */
import type { HashFormat } from "./hash/format.ts";
import { nodeCrypto } from "./hash/node-crypto.ts";
import { phpass } from "./hash/phpass.ts";

/** Options of {@link bcrypt} and {@link wordpress}. */
export interface BcryptOptions {
  /**
   * The highest accepted cost; default 12. Hashes with a higher cost are rejected, because their checks would take
   * longer than all others.
   */
  readonly cost?: number;
}

/** The number of bytes that bcrypt processes. */
const MAX_BYTES = 72;

const HASH = /^\$2[abxy]?\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/** Memory per check: bcrypt needs 4 kB. */
const MEMORY = 4096;

/** Accepts hashes of bcrypt: `$2a$`, `$2b$` and `$2y$`. */
export function bcrypt(options: BcryptOptions = {}): HashFormat {
  const cost = checkCost(options);
  return {
    id: "bcrypt",
    memory: MEMORY,
    matches: (text) => isAccepted(text, cost),
    sample: async () => (await load()).hash("sample", { cost }),
    verify: async (password, text) => (await load()).verify(password, text),
    isTruncated,
  };
}

/**
 * Accepts hashes of WordPress: `$wp$2y$` of version 6.8 and later, which are bcrypt over an HMAC-SHA-384, and the
 * phpass hashes `$P$` of earlier versions. As in WordPress, `$wp$` ignores whitespace around a password.
 */
export function wordpress(options: BcryptOptions = {}): HashFormat {
  const inner = bcrypt(options);
  const former = phpass();
  const isNew = (text: string) => text.startsWith("$wp$") && inner.matches(text.slice(3));
  return {
    id: "wordpress",
    memory: MEMORY,
    matches: (text) => isNew(text) || former.matches(text),
    sample: async () => `$wp${await inner.sample()}`,
    verify: async (password, text) =>
      isNew(text) ? inner.verify(prepare(password), text.slice(3)) : former.verify(password, text),
    isTruncated: (password) => trim(password) !== password,
  };
}

/** https://developer.wordpress.org/reference/functions/wp_hash_password/ */
function prepare(password: string): string {
  return nodeCrypto().createHmac("sha384", "wp-sha384").update(trim(password)).digest("base64");
}

/** PHP's trim(): space, tab, line feed, carriage return, NUL and vertical tab. */
function trim(password: string): string {
  return password.replace(/^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g, "");
}

/** bcrypt ignores everything after 72 bytes or a NUL, so many passwords match one hash. */
function isTruncated(password: string): boolean {
  return new TextEncoder().encode(password).byteLength > MAX_BYTES || password.includes("\0");
}

function isAccepted(text: string, max: number): boolean {
  const cost = Number(HASH.exec(text)?.[1]);
  return cost >= 4 && cost <= max;
}

function checkCost({ cost = 12 }: BcryptOptions): number {
  if (Number.isInteger(cost) && cost >= 4 && cost <= 16) return cost;
  throw new TypeError("bcrypt(): `cost` must be an integer from 4 to 16.");
}

/** Loaded on first use. */
function load(): Promise<typeof import("@node-rs/bcrypt")> {
  return import("@node-rs/bcrypt");
}
