import type { HashFormat } from "./format.ts";
import { isEqual } from "./node-crypto.ts";
import { derivePbkdf2 } from "./pbkdf2.ts";

/** Digests by value of `KeyDerivationPrf` in ASP.NET. */
const DIGESTS = ["sha1", "sha256", "sha512"] as const;

/** The hashes of ASP.NET have 32 bytes, which are two blocks of SHA-1. Each further block would multiply the duration of a check. */
const MAX_BLOCKS = 2;

/** Bytes of a block, by digest. */
const SIZES = { sha1: 20, sha256: 32, sha512: 64 } as const;

/** Header bytes: marker, function, iterations and salt length. */
const HEADER = 13;

/** Options of {@link aspnetV3}. */
export interface AspnetOptions {
  /**
   * The highest accepted number of iterations; default 100,000, as in ASP.NET Core 7. Hashes with more are rejected.
   */
  readonly iterations?: number;
}

/** Accepts hashes of ASP.NET Core Identity, version 3: base64 that begins with the byte 1. */
export function aspnetV3({ iterations = 100_000 }: AspnetOptions = {}): HashFormat {
  const read = (text: string) => {
    if (!/^AQ[A-Za-z0-9+/]{40,340}={0,2}$/.test(text)) return null;
    const bytes = Buffer.from(text, "base64");
    if (bytes.byteLength < HEADER || bytes[0] !== 1) return null;
    const digest = DIGESTS[bytes.readUInt32BE(1)];
    const rounds = bytes.readUInt32BE(5);
    const end = HEADER + bytes.readUInt32BE(9);
    const hash = bytes.subarray(end);
    const isSound = end - HEADER >= 16 && hash.byteLength >= 16 && rounds >= 1 && rounds <= iterations;
    const isShort = digest !== undefined && hash.byteLength <= MAX_BLOCKS * SIZES[digest];
    return isSound && isShort ? { digest, rounds, salt: bytes.subarray(HEADER, end), hash } : null;
  };
  return {
    id: "aspnet",
    memory: 4096,
    matches: (text) => read(text) !== null,
    sample: async () => {
      const header = Buffer.alloc(HEADER + 48);
      header.writeUInt8(1, 0);
      header.writeUInt32BE(DIGESTS.indexOf("sha512"), 1);
      header.writeUInt32BE(iterations, 5);
      header.writeUInt32BE(16, 9);
      return header.toString("base64");
    },
    async verify(password, text) {
      const found = read(text);
      if (found === null) return false;
      const { salt, rounds, hash, digest } = found;
      return isEqual(await derivePbkdf2(password, salt, rounds, hash.byteLength, digest), hash);
    },
  };
}
