import type { PasskeyCheck } from "@cardea/extend";

/** What a verified response says about its credential. */
export interface CredentialState {
  /** Never decreases if the authenticator counts; 0 if it does not. At most {@link GREATEST_COUNTER}. */
  readonly counter: number;
  /** Whether the credential may be copied to other devices of its user (BE); fixed at creation. */
  readonly backupEligible: boolean;
}

/**
 * A counter has 32 bits (WebAuthn L3 §6.1), and its column a sign as well in the tables of Auth.js and in ours. Greater counters, such as those
 * of authenticators that count from a random number or send the time, are taken for this one and stored as such.
 */
export const GREATEST_COUNTER = 2 ** 31 - 1;

/** The stored data of a credential, for an authentication. */
export interface CredentialRecord {
  /** The counter at the last use. */
  readonly counter: number;
  /** `multiDevice` if it was backup eligible when created, `singleDevice` if not; otherwise unknown. */
  readonly deviceType: string;
}

/**
 * Compares a verified authentication with the stored credential, which `@simplewebauthn/server` does not.
 *
 * 1. Backup eligibility is unchanged since the credential was created (WebAuthn L3 §7.2 step 19): an authenticator cannot
 *    change it. The library has no such record.
 * 2. The counter of a device-bound credential has increased (§7.2 step 22); see {@link isCounterBehind}. A backup-eligible credential
 *    may be used on several devices, and each of them counts by itself. The library would reject these too, and accepts every
 *    counter if the stored one is not a number.
 *
 * @returns the failed check, or null.
 */
export function checkAgainstRecord(given: CredentialState, record: CredentialRecord): PasskeyCheck | null {
  const { deviceType } = record;
  const isChanged = given.backupEligible ? deviceType === "singleDevice" : deviceType === "multiDevice";
  if (isChanged) return "backup";
  return !given.backupEligible && isCounterBehind(given, record) ? "counter" : null;
}

/**
 * Whether a counter has not increased. Zero on both sides means that the authenticator does not count (§6.1.1), and the greatest counter stands
 * for all that are greater: from there on, a copied key is not noticed.
 */
export function isCounterBehind(given: { readonly counter: number }, record: { readonly counter: number }): boolean {
  const counts = given.counter > 0 || record.counter > 0;
  return counts && given.counter < GREATEST_COUNTER && !(given.counter > record.counter);
}
