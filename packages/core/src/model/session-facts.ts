import type { EpochSeconds } from "./units.ts";

/**
 * One proof that a user gave, and when: `pwd` (a password), `email` (a link), `passkey`, `federated` (a provider's account), and
 * what extensions add, by the names of RFC 8176 where it has one (`otp`).
 */
export type Factor = readonly [method: string, at: EpochSeconds];

/** The account at a provider that a session came from. */
export interface SessionOrigin {
  /** Id of the provider in this configuration. */
  readonly provider: string;
  /** Issuer of the ID token (OIDC Core §2); absent without one. */
  readonly iss?: string;
  readonly sub: string;
  /** The provider's own session (OIDC Back-Channel Logout §2.1); absent when it names none. */
  readonly sid?: string;
  /** How often the provider had signed this account out everywhere when the session was made. */
  readonly e?: number;
}

/**
 * What is known of a session beside its user. With the `jwt` strategy these facts are the claim `cardea` of the session token, so
 * that their names are short. Neither `callbacks.jwt` nor `callbacks.session` sees or changes them (docs/extensions.md#facts).
 */
export interface SessionFacts {
  /** Public id of the session: 128 random bits. It stays the same until the session ends. */
  readonly sid: string;
  /** When the user signed in. */
  readonly at: EpochSeconds;
  /** The user's epoch when the session was made: how often their sessions had all been ended. */
  readonly e: number;
  /** Proofs, in the order in which they were given. */
  readonly f: readonly Factor[];
  /** Absent for users who did not come from a provider. */
  readonly idp?: SessionOrigin;
  /** The key that the session is bound to (RFC 7800 §3.1); absent for a session that is not bound. */
  readonly cnf?: { readonly jkt: string };
}
