import type { HashFormat } from "./format.ts";
import { isEqual, nodeCrypto } from "./node-crypto.ts";
import { deriveScrypt } from "./scrypt.ts";

const HASH = /^\$firebase\$([A-Za-z0-9+/_-]{4,64}={0,2})\$([A-Za-z0-9+/_-]{80,90}={0,2})$/;

/** The hash parameters of a Firebase project: Authentication, Users, ⋮, Password hash parameters. */
export interface FirebaseOptions {
  /** `base64_signer_key`. Keep it secret. */
  readonly signerKey: string;
  /** `base64_salt_separator`. */
  readonly saltSeparator: string;
  /** `rounds`; default 8. */
  readonly rounds?: number;
  /** `mem_cost`; default 14. */
  readonly memCost?: number;
}

/** Accepts hashes of Firebase Authentication, written as `$firebase$<salt>$<passwordHash>`: see {@link firebaseHash}. */
export function firebaseScrypt({ signerKey, saltSeparator, rounds = 8, memCost = 14 }: FirebaseOptions): HashFormat {
  const key = Buffer.from(signerKey, "base64");
  const separator = Buffer.from(saltSeparator, "base64");
  if (key.byteLength !== 64) throw new TypeError("firebaseScrypt(): `signerKey` must be 64 bytes in base64.");
  if (
    !Number.isInteger(rounds) ||
    rounds < 1 ||
    rounds > 64 ||
    !Number.isInteger(memCost) ||
    memCost < 1 ||
    memCost > 17
  )
    throw new TypeError("firebaseScrypt(): `rounds` must be from 1 to 64, `memCost` from 1 to 17.");
  const cost = { N: 2 ** memCost, r: rounds, p: 1 };
  return {
    id: "firebase",
    memory: 128 * cost.N * cost.r,
    matches: (text) => HASH.test(text),
    sample: async () => firebaseHash({ salt: "c2FtcGxl", passwordHash: Buffer.alloc(64).toString("base64") }),
    async verify(password, text) {
      const [, salt = "", hash = ""] = HASH.exec(text) ?? [];
      if (hash === "") return false;
      const derived = await deriveScrypt(password, Buffer.concat([Buffer.from(salt, "base64"), separator]), 64, cost);
      // The signer key is encrypted with the derived key: https://github.com/firebase/scrypt
      const cipher = nodeCrypto().createCipheriv("aes-256-ctr", derived.subarray(0, 32), Buffer.alloc(16));
      return isEqual(Buffer.concat([cipher.update(key), cipher.final()]), Buffer.from(hash, "base64"));
    },
  };
}

/** Formats a user's hash from the fields written by `firebase auth:export`. */
export function firebaseHash({ salt, passwordHash }: { readonly salt: string; readonly passwordHash: string }): string {
  return `$firebase$${salt}$${passwordHash}`;
}
