import type { HashFormat } from "./format.ts";
import { isEqual, nodeCrypto } from "./node-crypto.ts";

const DJANGO = /^pbkdf2_(sha1|sha256)\$(\d{1,7})\$([^$]{1,128})\$([A-Za-z0-9+/]{27}=|[A-Za-z0-9+/]{43}=)$/;

/** Bytes of a hash: those of its digest. Each further block would multiply the duration of a check. */
const SIZES: Readonly<Record<string, number>> = { sha1: 20, sha256: 32 };

/** Options of {@link pbkdf2}. */
export interface Pbkdf2Options {
  /** The highest accepted number of iterations; default 1,500,000, as in Django 6.1. Hashes with more are rejected. */
  readonly iterations?: number;
}

/** Accepts hashes of Django: `pbkdf2_sha256$<iterations>$<salt>$<hash>`, and those with SHA-1. */
export function pbkdf2({ iterations = 1_500_000 }: Pbkdf2Options = {}): HashFormat {
  const read = (text: string) => {
    const [, digest = "", count, salt = "", hash = ""] = DJANGO.exec(text) ?? [];
    const rounds = Number(count);
    const isSound = Buffer.byteLength(hash, "base64") === SIZES[digest] && rounds >= 1 && rounds <= iterations;
    return isSound ? { digest, rounds, salt, hash } : null;
  };
  return {
    id: "pbkdf2",
    memory: 4096,
    matches: (text) => read(text) !== null,
    sample: async () => `pbkdf2_sha256$${iterations}$sample$${Buffer.alloc(32).toString("base64")}`,
    async verify(password, text) {
      const found = read(text);
      if (found === null) return false;
      const hash = Buffer.from(found.hash, "base64");
      return isEqual(
        await derivePbkdf2(password, Buffer.from(found.salt), found.rounds, hash.byteLength, found.digest),
        hash,
      );
    },
  };
}

/** Runs PBKDF2 in libuv's thread pool. */
export function derivePbkdf2(
  password: string,
  salt: Uint8Array,
  rounds: number,
  length: number,
  digest: string,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    nodeCrypto().pbkdf2(password, salt, rounds, length, digest, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
