import type { PasskeyCheck } from "../model/error-types.ts";

/** What an authenticator signs beside the client data (WebAuthn L3 §6.1). */
export interface AuthenticatorData {
  readonly rpIdHash: Uint8Array;
  readonly userPresent: boolean;
  readonly userVerified: boolean;
  /** Never goes backwards where the authenticator counts; 0 where it does not. */
  readonly counter: number;
}

/** What an assertion has to fulfil. */
export interface ExpectedAuthenticatorData {
  /** SHA-256 of each relying party id that is ours. */
  readonly rpIdHashes: readonly Uint8Array[];
  readonly requireUserVerification: boolean;
  /** The counter at the last use. */
  readonly counter: number;
}

/** Layout (§6.1): 32 bytes of hash, one of flags, four of counter. */
const FIXED_LENGTH = 37;
const USER_PRESENT = 0b1;
const USER_VERIFIED = 0b100;

/** Reads the part of authenticator data that each has. Never throws; null when it is too short. */
export function parseAuthenticatorData(bytes: Uint8Array): AuthenticatorData | null {
  if (bytes.length < FIXED_LENGTH) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = view.getUint8(32);
  return {
    rpIdHash: bytes.subarray(0, 32),
    userPresent: (flags & USER_PRESENT) !== 0,
    userVerified: (flags & USER_VERIFIED) !== 0,
    counter: view.getUint32(33),
  };
}

/**
 * Judges the authenticator data of an assertion (WebAuthn L3 §7.2 steps 15 to 17 and 22). A counter of zero on both sides is
 * that of an authenticator that does not count; any other has to grow (§6.1.1).
 *
 * @returns what does not hold, or null.
 */
export function judgeAuthenticatorData(
  given: AuthenticatorData,
  expected: ExpectedAuthenticatorData,
): PasskeyCheck | null {
  if (!expected.rpIdHashes.some((hash) => isEqual(hash, given.rpIdHash))) return "rp-id";
  if (!given.userPresent) return "user-presence";
  if (expected.requireUserVerification && !given.userVerified) return "user-verification";
  const counts = given.counter > 0 || expected.counter > 0;
  return counts && given.counter <= expected.counter ? "counter" : null;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
