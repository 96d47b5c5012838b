import { decryptText, deriveCbcKey, deriveDirectKey, type SealingKeys } from "./direct-jwe.ts";
import { decodeBase64url, hmacOf } from "./primitives.ts";

/**
 * Decrypts the token forms that we accept in addition to our own: A256CBC-HS512, no key id, or a header in another
 * spelling. Never throws; null if the token was not encrypted with one of the secrets. The visitor determines the cost, so
 * each step is cheaper than the next one, and most forgeries end at the first.
 *
 * 1. Only `alg: dir` and the two content encryptions are accepted, before any key is derived (RFC 8725 §3.1).
 * 2. The header has no members other than `alg`, `enc`, `kid` and `typ`, and `typ` is that of a JWT (RFC 8725 §3.11).
 * 3. `kid` identifies the key; without it every secret is tried.
 * 4. A256CBC-HS512 is decrypted once its authentication tag is known to match (RFC 7518 §5.2.2.2 step 2).
 */
export async function decryptAuthjsText(token: string, keys: SealingKeys): Promise<string | null> {
  const { 0: protectedHeader = "", length } = token.split(".", PARTS + 1);
  const header = length === PARTS ? parseHeader(protectedHeader) : null;
  if (header === null) return null;
  const open = header.enc === "A256GCM" ? decryptGcm : decryptCbc;
  for (const secret of keys.secrets) {
    const text = await open(token, { protectedHeader, kid: header.kid, keys, secret });
    if (text !== null) return text;
  }
  return null;
}

/** Parts of the compact serialisation (RFC 7516 §7.1). */
const PARTS = 5;

/** Several times what a header with all four members needs. */
const MAX_HEADER_LENGTH = 512;

interface Header {
  readonly enc: "A256GCM" | "A256CBC-HS512";
  readonly kid: string | undefined;
}

interface KeyedJwe {
  readonly protectedHeader: string;
  readonly kid: string | undefined;
  readonly keys: SealingKeys;
  readonly secret: string;
}

const MEMBERS: readonly string[] = ["alg", "enc", "kid", "typ"];

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
/** For headers, where only ASCII is accepted anyway. Does not throw, because an exception takes longer than everything else here. */
const tolerant = new TextDecoder();

/** Rules 1 and 2. */
function parseHeader(protectedHeader: string): Header | null {
  const bytes = protectedHeader.length > MAX_HEADER_LENGTH ? null : decodeBase64url(protectedHeader);
  const header = bytes === null ? null : parseMembers(bytes);
  if (header === null || !isExpectedHeader(header)) return null;
  const { alg, enc, kid } = header;
  if (alg !== "dir" || (enc !== "A256GCM" && enc !== "A256CBC-HS512")) return null;
  return { enc, kid: typeof kid === "string" ? kid : undefined };
}

/** Rule 2 of {@link decryptAuthjsText}. */
export function isExpectedHeader(header: Readonly<Record<string, unknown>>): boolean {
  const { kid, typ = "JWT" } = header;
  if (Object.keys(header).some((name) => !MEMBERS.includes(name))) return false;
  if (kid !== undefined && typeof kid !== "string") return false;
  // Media types are case-insensitive (RFC 7515 §4.1.9).
  return typeof typ === "string" && typ.toUpperCase() === "JWT";
}

function parseMembers(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const header: unknown = JSON.parse(tolerant.decode(bytes));
    return typeof header === "object" && header !== null ? { ...header } : null;
  } catch {
    return null;
  }
}

async function decryptGcm(token: string, { protectedHeader, kid, keys, secret }: KeyedJwe): Promise<string | null> {
  const key = await deriveDirectKey(secret, keys.purpose, keys.salt);
  if (kid !== undefined && kid !== key.kid) return null;
  return decryptText(token, { ...key, header: protectedHeader, headerBytes: encoder.encode(protectedHeader) });
}

async function decryptCbc(token: string, { kid, keys, secret }: KeyedJwe): Promise<string | null> {
  const derived = await deriveCbcKey(secret, keys.purpose, keys.salt);
  if ((kid !== undefined && kid !== derived.kid) || !(await hasMatchingTag(token, derived.key))) return null;
  const [, encryptedKey, iv = "", ciphertext = ""] = token.split(".");
  const [nonce, sealed] = [decodeBase64url(iv), decodeBase64url(ciphertext)];
  if (encryptedKey !== "" || nonce?.length !== IV_BYTES || sealed === null) return null;
  const raw = derived.key.slice(MAC_KEY_BYTES);
  try {
    const key = await crypto.subtle.importKey("raw", raw, "AES-CBC", false, ["decrypt"]);
    return decoder.decode(await crypto.subtle.decrypt({ name: "AES-CBC", iv: nonce }, key, sealed));
  } catch {
    return null;
  }
}

/** The first half of the key authenticates, the second half decrypts (RFC 7518 §5.2.2.1, §5.2.5). */
const MAC_KEY_BYTES = 32;
const TAG_BYTES = 32;
const IV_BYTES = 16;

/** Whether the tag is that of nonce, header and ciphertext, compared in constant time (RFC 7518 §5.2.2.2 step 2). */
async function hasMatchingTag(token: string, key: Uint8Array): Promise<boolean> {
  const [header = "", , iv = "", ciphertext = "", tag = ""] = token.split(".");
  const [ivBytes, sealed, given] = [iv, ciphertext, tag].map(decodeBase64url);
  if (!ivBytes || !sealed || given?.length !== TAG_BYTES) return false;
  const data = encoder.encode(header);
  const input = new Uint8Array(data.length + ivBytes.length + sealed.length + 8);
  input.set(data);
  input.set(ivBytes, data.length);
  input.set(sealed, data.length + ivBytes.length);
  new DataView(input.buffer).setUint32(input.length - 4, data.length * 8);
  const computed = await hmacOf(key.slice(0, MAC_KEY_BYTES), input);
  return given.reduce((different, byte, n) => different | (byte ^ (computed[n] ?? 0)), 0) === 0;
}
