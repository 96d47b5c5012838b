import type { HashFormat } from "./format.ts";
import { isEqual, nodeCrypto } from "./node-crypto.ts";

const HASH = /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{22})$/;
const ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 2^13 rounds, as in WordPress. */
const SAMPLE = "$P$Babcdefgh000000000000000000000.";

/** Rounds after which other requests get a turn, because MD5 runs in this thread. */
const SLICE = 512;

/** Options of {@link phpass}. */
export interface PhpassOptions {
  /** The highest accepted exponent of rounds; default 13. Hashes above it are rejected. */
  readonly rounds?: number;
}

/**
 * Accepts portable hashes of phpass, `$P$` and `$H$`: WordPress before 6.8, phpBB 3, and imported hashes of Drupal.
 * They are weak, and replaced at the first sign-in.
 */
export function phpass({ rounds = 13 }: PhpassOptions = {}): HashFormat {
  const read = (text: string) => {
    const [, exponent = "", salt = "", hash = ""] = HASH.exec(text) ?? [];
    const count = ALPHABET.indexOf(exponent);
    return hash !== "" && count >= 7 && count <= rounds ? { count: 2 ** count, salt, hash } : null;
  };
  return {
    id: "phpass",
    memory: 4096,
    matches: (text) => read(text) !== null,
    sample: async () => `$P$${ALPHABET[rounds] ?? "B"}${SAMPLE.slice(4)}`,
    async verify(password, text) {
      const found = read(text);
      if (found === null) return false;
      const made = await derive(Buffer.from(password), found.salt, found.count);
      return isEqual(Buffer.from(encode64(made)), Buffer.from(found.hash));
    },
  };
}

async function derive(password: Buffer, salt: string, count: number): Promise<Buffer> {
  const { createHash } = nodeCrypto();
  const md5 = (...parts: readonly (Buffer | string)[]): Buffer => {
    const hash = createHash("md5");
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  let hash = md5(salt, password);
  for (let round = 0; round < count; round++) {
    hash = md5(hash, password);
    if (round % SLICE === SLICE - 1) await new Promise((resolve) => setTimeout(resolve));
  }
  return hash;
}

/** The base64 variant of phpass: little-endian groups, no padding. */
function encode64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const group = bytes.subarray(at, at + 3);
    let value = group.reduce((sum, byte, index) => sum + byte * 256 ** index, 0);
    for (let digit = 0; digit <= group.length; digit++) {
      text += ALPHABET[value % 64] ?? "";
      value = Math.floor(value / 64);
    }
  }
  return text;
}
