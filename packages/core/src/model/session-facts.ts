import type { EndedBy } from "./security-fact.ts";
import type { EpochSeconds } from "./units.ts";

/**
 * A proof that a user gave, with its time: `pwd` (password), `email` (link), `passkey`, `federated` (provider account),
 * and those added by extensions, with RFC 8176 names where available (`otp`).
 */
export type Factor = readonly [method: string, at: EpochSeconds];

/** The account at a provider that a session came from. */
export interface SessionOrigin {
  /** Id of the provider in this configuration. */
  readonly provider: string;
  /** Issuer of the ID token (OIDC Core §2); absent without one. */
  readonly iss?: string;
  /** The user's id at the provider: `sub` of the ID token, otherwise `providerAccountId` of the account. */
  readonly sub: string;
  /** The provider session (OIDC Back-Channel Logout §2.1); absent if unknown. */
  readonly sid?: string;
  /** How often the provider had signed this account out everywhere when the session was created. */
  readonly e?: number;
}

/**
 * Facts about a session, in addition to its user. With the `jwt` strategy, they are the claim `cardea` of the session
 * token, so their names are short. `callbacks.jwt` and `callbacks.session` can neither see nor change them
 * (docs/extensions.md#facts).
 */
export interface SessionFacts {
  /** Public id of the session: 128 random bits. It stays the same until the session ends. */
  readonly sid: string;
  /** When the user signed in. */
  readonly at: EpochSeconds;
  /** The user's epoch when the session was created: how often all of the user's sessions had been ended. */
  readonly e: number;
  /** Proofs, in the order in which they were given. */
  readonly f: readonly Factor[];
  /** Absent if the user did not sign in with a provider. */
  readonly idp?: SessionOrigin;
  /** The key that the session is bound to (RFC 7800 §3.1); absent for an unbound session. */
  readonly cnf?: { readonly jkt: string };
}

/** Facts that `admit` may add: proofs, the epoch, the origin and a key. Core sets id and time of a session. */
export type AddedFacts = Partial<Omit<SessionFacts, "sid" | "at">>;

/** Options for ending all sessions of a user. */
export interface EndOfSessions {
  /** Who ended them, such as the user or an administrator. */
  readonly by: EndedBy;
  /** Reason for the record and for observers; not shown to the browser. */
  readonly reason: string;
  /** Id of a session to keep. It must be re-issued with the returned facts. */
  readonly spared?: string | undefined;
  /** For `endSessions` of an extension: the user's epoch, which core has raised; absent if that failed. */
  readonly epoch?: { readonly value: number; readonly former: number } | undefined;
}
