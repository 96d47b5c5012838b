import { CompactEncrypt, type CompactJWEHeaderParameters, compactDecrypt } from "jose";
import { isExpectedHeader } from "./authjs-jwe.ts";
import { MAX_TOKEN_LENGTH } from "./sealed-claims.ts";

/** A key for JWEs with `alg: dir` (RFC 7518 §4.5), with its only allowed algorithm and its id. */
export interface DirectJweKey {
  /** 32 bytes for A256GCM, 64 for A256CBC-HS512. */
  readonly bytes: Uint8Array;
  /** The content encryption algorithm (RFC 7518 §5.1). */
  readonly enc: "A256GCM" | "A256CBC-HS512";
  /** Its `kid`; absent if the tokens have none. */
  readonly kid?: string | undefined;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** See `openJwe()`. Never throws. */
export async function decryptWithKeys(token: string, keys: readonly DirectJweKey[]): Promise<string | null> {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  for (const key of keys) {
    const text = await tryKey(token, key);
    if (text !== null) return text;
  }
  return null;
}

async function tryKey(token: string, { bytes, enc, kid }: DirectJweKey): Promise<string | null> {
  const keyFor = (header: CompactJWEHeaderParameters): Uint8Array => {
    const isOfKey = header.kid === undefined || header.kid === kid;
    if (!isExpectedHeader(header) || !isOfKey) throw new Error("the token is not of this key");
    return bytes;
  };
  try {
    const allowed = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: [enc] };
    return decoder.decode((await compactDecrypt(token, keyFor, allowed)).plaintext);
  } catch {
    return null;
  }
}

/** See `sealJwe()`. */
export function encryptWithKey(text: string, { bytes, enc, kid }: DirectJweKey): Promise<string> {
  const header = { alg: "dir", enc, ...(kid === undefined ? {} : { kid }) };
  return new CompactEncrypt(encoder.encode(text)).setProtectedHeader(header).encrypt(bytes);
}
