import { type CompactJWEHeaderParameters, compactDecrypt } from "jose";
import { type ContentEncryption, type DerivedKey, deriveKey, type SealingKeys } from "./keys.ts";

/**
 * Opens tokens of the forms that we accept beside our own (contract 11): sealed with A256CBC-HS512, without a key id, or
 * with a header written in another way. Never throws; null when the token is not sealed with one of the secrets.
 *
 * 1. Only `alg: dir` and the two content encryptions are looked at, before any key is derived (RFC 8725 §3.1).
 * 2. `kid` names the key; without it every secret is tried.
 */
export async function openForeignText(token: string, keys: SealingKeys): Promise<string | null> {
  for (const secret of keys.secrets) {
    const opened = await tryOpen(token, keys, secret);
    if (opened.kind === "opened") return opened.text;
    if (opened.kind === "refused") return null;
  }
  return null;
}

type Opened =
  | { readonly kind: "opened"; readonly text: string }
  | { readonly kind: "refused" }
  | { readonly kind: "try-next" };

const decoder = new TextDecoder("utf-8", { fatal: true });

async function tryOpen(token: string, keys: SealingKeys, secret: string): Promise<Opened> {
  let named = false;
  try {
    const { plaintext } = await compactDecrypt(
      token,
      async ({ kid, enc = "" }: CompactJWEHeaderParameters) => {
        named = kid !== undefined;
        const selected = named ? await keyByKid(kid, enc, keys) : await keyFor(secret, enc, keys);
        return selected.key;
      },
      OPTIONS,
    );
    return { kind: "opened", text: decoder.decode(plaintext) };
  } catch {
    return named ? { kind: "refused" } : { kind: "try-next" };
  }
}

const OPTIONS = {
  keyManagementAlgorithms: ["dir"],
  contentEncryptionAlgorithms: ["A256GCM", "A256CBC-HS512"],
};

function keyFor(secret: string, enc: string, keys: SealingKeys): Promise<DerivedKey> {
  return deriveKey(secret, keys.purpose, keys.salt, parseEncryption(enc));
}

async function keyByKid(kid: string | undefined, enc: string, keys: SealingKeys): Promise<DerivedKey> {
  for (const secret of keys.secrets) {
    const candidate = await keyFor(secret, enc, keys);
    if (candidate.kid === kid) return candidate;
  }
  throw new Error("no secret has this key id");
}

function parseEncryption(enc: string): ContentEncryption {
  return enc === "A256GCM" ? "A256GCM" : "A256CBC-HS512";
}
