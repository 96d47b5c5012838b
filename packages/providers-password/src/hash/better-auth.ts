import type { HashFormat } from "./format.ts";
import { isEqual } from "./node-crypto.ts";
import { deriveScrypt } from "./scrypt.ts";

const HASH = /^([0-9a-f]{32}):([0-9a-f]{128})$/;

/** The fixed parameters of better-auth: 32 MB. */
const COST = { N: 2 ** 14, r: 16, p: 1 };

/**
 * Accepts hashes of better-auth: `<salt>:<hash>` in hexadecimal. As in better-auth, the password is normalized with
 * NFKC.
 */
export function betterAuthScrypt(): HashFormat {
  return {
    id: "better-auth",
    memory: 128 * COST.N * COST.r,
    matches: (text) => HASH.test(text),
    sample: async () => `${"0".repeat(32)}:${"0".repeat(128)}`,
    async verify(password, text) {
      const [, salt = "", hash = ""] = HASH.exec(text) ?? [];
      // The salt is the hexadecimal text itself, not the decoded bytes.
      const made = await deriveScrypt(password.normalize("NFKC"), Buffer.from(salt), 64, COST);
      return hash !== "" && isEqual(made, Buffer.from(hash, "hex"));
    },
    isTruncated: (password) => password.normalize("NFKC") !== password,
  };
}
