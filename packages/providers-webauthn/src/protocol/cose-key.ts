import { type Cbor, decodeCbor } from "./cbor.ts";

/** A public key as encoded by an authenticator (RFC 9052 §7). */
export interface PublicKey {
  /** COSE algorithm identifier, such as -7 for ES256. */
  readonly algorithm: number;
  /** The position of the key's end. */
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** COSE key parameters: type, algorithm, curve (RFC 9052 §7.1, RFC 9053 §7). */
const KTY = 1;
const ALG = 3;
const CRV = -1;

/**
 * The key type and curve that WebAuthn uses with an algorithm (WebAuthn L3 §5.8.5): ES256 only with P-256, EdDSA only with
 * Ed25519. Others are left to the library that verifies signatures.
 */
const KEYS: ReadonlyMap<number, { readonly kty: number; readonly crv?: number }> = new Map([
  [-7, { kty: 2, crv: 1 }],
  [-8, { kty: 1, crv: 6 }],
  [-35, { kty: 2, crv: 2 }],
  [-36, { kty: 2, crv: 3 }],
  [-37, { kty: 3 }],
  [-38, { kty: 3 }],
  [-39, { kty: 3 }],
  [-257, { kty: 3 }],
  [-258, { kty: 3 }],
  [-259, { kty: 3 }],
]);

/**
 * Reads the public key at this position; null if there is none, or if its type does not match its algorithm. Never throws.
 */
export function parsePublicKey(bytes: Uint8Array, start: number): PublicKey | null {
  const decoded = decodeCbor(bytes, start);
  if (decoded === null || !(decoded.value instanceof Map)) return null;
  const members: ReadonlyMap<Cbor, Cbor> = decoded.value;
  const algorithm = members.get(ALG);
  if (typeof algorithm !== "number") return null;
  const kind = KEYS.get(algorithm);
  if (kind !== undefined && members.get(KTY) !== kind.kty) return null;
  if (kind?.crv !== undefined && members.get(CRV) !== kind.crv) return null;
  return { algorithm, end: decoded.end, bytes: bytes.subarray(start, decoded.end) };
}
