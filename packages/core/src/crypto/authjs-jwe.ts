import { type CompactJWEHeaderParameters, compactDecrypt } from "jose";
import { type ContentEncryption, type DerivedKey, deriveKey, type SealingKeys } from "./keys.ts";

/**
 * Decrypts the token forms that we accept in addition to our own: A256CBC-HS512, no key id, or a header in another
 * spelling. Never throws; null if the token was not encrypted with one of the secrets.
 *
 * 1. Only `alg: dir` and the two content encryptions are accepted, before any key is derived (RFC 8725 §3.1).
 * 2. The header has no members other than `alg`, `enc`, `kid` and `typ`, and `typ` is that of a JWT (RFC 8725 §3.11).
 * 3. `kid` identifies the key; without it every secret is tried.
 */
export async function openAuthjsText(token: string, keys: SealingKeys): Promise<string | null> {
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
      async (header: CompactJWEHeaderParameters) => {
        const { kid, enc = "" } = header;
        named = kid !== undefined;
        if (!isExpectedHeader(header)) throw new Error("the header does not belong to a session token");
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

const MEMBERS: readonly string[] = ["alg", "enc", "kid", "typ"];

function isExpectedHeader(header: CompactJWEHeaderParameters): boolean {
  const { kid, typ = "JWT" } = header;
  if (Object.keys(header).some((name) => !MEMBERS.includes(name))) return false;
  if (kid !== undefined && typeof kid !== "string") return false;
  // Media types are case-insensitive (RFC 7515 §4.1.9).
  return typeof typ === "string" && typ.toUpperCase() === "JWT";
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
  throw new Error("no configured secret has this key id");
}

function parseEncryption(enc: string): ContentEncryption {
  return enc === "A256GCM" ? "A256GCM" : "A256CBC-HS512";
}
