import type { PasskeyCheck } from "@cardea/core/extend";
import { decodeCbor } from "./cbor.ts";
import { type PublicKey, parsePublicKey } from "./cose-key.ts";
import { isEqualBytes } from "./equal-bytes.ts";

/** The data that an authenticator signs in addition to the client data (WebAuthn L3 §6.1). */
export interface AuthenticatorData {
  readonly rpIdHash: Uint8Array;
  readonly userPresent: boolean;
  readonly userVerified: boolean;
  /** Whether the credential may be copied to other devices of its user (BE); fixed at creation. */
  readonly backupEligible: boolean;
  /** Whether it is currently copied (BS). */
  readonly backedUp: boolean;
  /** Never decreases if the authenticator counts; 0 if it does not. */
  readonly counter: number;
  /** The new credential; null in an authentication. */
  readonly credential: AttestedCredential | null;
}

/** A new credential (WebAuthn L3 §6.5.1). */
interface AttestedCredential {
  readonly id: Uint8Array;
  readonly publicKey: PublicKey;
}

/** Requirements of registration and authentication. */
export interface ExpectedAuthenticatorData {
  /** SHA-256 of each accepted relying party id. */
  readonly rpIdHashes: readonly Uint8Array[];
  readonly requireUserVerification: boolean;
}

/** The stored data of a credential, for an authentication. */
export interface CredentialRecord {
  /** The counter at the last use. */
  readonly counter: number;
  /** `multiDevice` if it was backup eligible when created, `singleDevice` if not; otherwise unknown. */
  readonly deviceType: string;
}

/** Layout (§6.1): 32 bytes of hash, one of flags, four of counter. */
const FIXED_LENGTH = 37;
const FLAGS = {
  userPresent: 0b1,
  userVerified: 0b100,
  backupEligible: 0b1000,
  backedUp: 0b1_0000,
  attested: 0b100_0000,
  extensions: 0b1000_0000,
} as const;

/** Credential ids have at most 1023 bytes (WebAuthn L3 §7.1 step 25). */
const MAX_ID_BYTES = 1023;

/**
 * Reads complete authenticator data. Never throws.
 *
 * @returns null if it is too short, has bytes left over, or a part does not match the flags.
 */
export function parseAuthenticatorData(bytes: Uint8Array): AuthenticatorData | null {
  if (bytes.length < FIXED_LENGTH) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = view.getUint8(32);
  const has = (flag: number) => (flags & flag) !== 0;
  const attested = has(FLAGS.attested) ? parseAttested(bytes, view) : { credential: null, end: FIXED_LENGTH };
  if (attested === null) return null;
  const end = has(FLAGS.extensions) ? endOfExtensions(bytes, attested.end) : attested.end;
  if (end !== bytes.length) return null;
  return {
    rpIdHash: bytes.subarray(0, 32),
    userPresent: has(FLAGS.userPresent),
    userVerified: has(FLAGS.userVerified),
    backupEligible: has(FLAGS.backupEligible),
    backedUp: has(FLAGS.backedUp),
    counter: view.getUint32(33),
    credential: attested.credential,
  };
}

/** AAGUID, length of the id, id, public key (§6.5.1). */
function parseAttested(bytes: Uint8Array, view: DataView) {
  const start = FIXED_LENGTH + 18;
  if (bytes.length < start) return null;
  const length = view.getUint16(start - 2);
  const id = bytes.subarray(start, start + length);
  const publicKey = parsePublicKey(bytes, start + length);
  if (length === 0 || length > MAX_ID_BYTES || id.length !== length || publicKey === null) return null;
  return { credential: { id, publicKey }, end: publicKey.end };
}

function endOfExtensions(bytes: Uint8Array, start: number): number | null {
  const extensions = decodeCbor(bytes, start);
  return extensions?.value instanceof Map ? extensions.end : null;
}

/**
 * Checks what registration and authentication have in common (WebAuthn L3 §7.1 steps 14 to 18, §7.2 steps 15 to 20).
 *
 * 1. The relying party id is one of ours.
 * 2. The user was present, and verified if that is required.
 * 3. Backed up (BS) only if backup eligible (BE).
 *
 * @returns the failed check, or null.
 */
export function checkAuthenticatorData(
  given: AuthenticatorData,
  expected: ExpectedAuthenticatorData,
): PasskeyCheck | null {
  if (!expected.rpIdHashes.some((hash) => isEqualBytes(hash, given.rpIdHash))) return "rp-id";
  if (!given.userPresent) return "user-presence";
  if (expected.requireUserVerification && !given.userVerified) return "user-verification";
  return given.backedUp && !given.backupEligible ? "backup" : null;
}

/**
 * Checks an authentication against the stored credential (WebAuthn L3 §7.2 steps 20 and 24).
 *
 * 1. Backup eligibility is unchanged since the credential was created: an authenticator cannot change it.
 * 2. The counter of a device-bound credential has increased; see {@link isCounterBehind}. A backup-eligible credential may be used
 *    on several devices, and each of them counts by itself.
 *
 * @returns the failed check, or null.
 */
export function checkAgainstRecord(given: AuthenticatorData, record: CredentialRecord): PasskeyCheck | null {
  const { deviceType } = record;
  const isChanged = given.backupEligible ? deviceType === "singleDevice" : deviceType === "multiDevice";
  if (isChanged) return "backup";
  return !given.backupEligible && isCounterBehind(given, record) ? "counter" : null;
}

/** Whether a counter has not increased; zero on both sides means that the authenticator does not count (§6.1.1). */
export function isCounterBehind(given: { readonly counter: number }, record: { readonly counter: number }): boolean {
  const counts = given.counter > 0 || record.counter > 0;
  return counts && !(given.counter > record.counter);
}
