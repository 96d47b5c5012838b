import { type Cbor, decodeCbor } from "./cbor.ts";

/** An authenticator's statement about a new credential (WebAuthn L3 §6.5.4). */
export interface AttestationObject {
  readonly format: string;
  readonly authenticatorData: Uint8Array;
}

/** Registered formats (WebAuthn L3 §8). */
const FORMATS: ReadonlySet<Cbor | undefined> = new Set([
  ...["none", "packed", "tpm", "android-key", "android-safetynet", "fido-u2f", "apple"],
]);

/**
 * Reads a complete attestation object. Never throws.
 *
 * @returns null if it is malformed, has an unregistered format, or has the format `none` and a statement (§8.7).
 */
export function parseAttestationObject(bytes: Uint8Array): AttestationObject | null {
  const decoded = decodeCbor(bytes);
  if (decoded === null || decoded.end !== bytes.length || !(decoded.value instanceof Map)) return null;
  const members: ReadonlyMap<Cbor, Cbor> = decoded.value;
  const [format, statement, authenticatorData] = ["fmt", "attStmt", "authData"].map((name) => members.get(name));
  if (typeof format !== "string" || !FORMATS.has(format) || !(statement instanceof Map)) return null;
  if (!(authenticatorData instanceof Uint8Array) || (format === "none" && statement.size > 0)) return null;
  return { format, authenticatorData };
}
