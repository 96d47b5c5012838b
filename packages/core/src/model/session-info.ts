/** A proof that a user gave: method and time. */
export interface FactorRecord {
  /** The method. */
  readonly m: string;
  /** When it was proven, in seconds since 1970. */
  readonly t: number;
}

/** The provider account that a session came from, as stored. */
export interface SessionOriginRecord {
  /** Id of the provider. */
  readonly provider: string;
  /** Id of the user at the provider. */
  readonly sub: string;
  /** The issuer. */
  readonly iss?: string;
  /** Id of the session at the provider. */
  readonly sid?: string;
  /** The epoch of the session. */
  readonly e?: number;
}

/** The record of a session, with either strategy. Does not contain the session token. */
export interface SessionInfo {
  /** Public id, for lists of sessions: 128 random bits in base64url. */
  readonly id: string;
  /** SHA-256 in base64url of the session token or, with the `jwt` strategy, of its `jti`. Unique. */
  readonly tokenHash: string;
  /** The user who owns the session. */
  readonly userId: string;
  /** When the user signed in. */
  readonly createdAt: Date;
  /** When the session was last renewed. Reading a session does not update this. */
  readonly seenAt: Date;
  /** When the session ends. */
  readonly expires: Date;
  /** The proofs that the user gave. */
  readonly factors: readonly FactorRecord[];
  /** Authentication context class of the provider (OIDC Core §2). */
  readonly acr?: string | null | undefined;
  /** Id of the provider. */
  readonly provider: string;
  /** Id of the account at the provider. */
  readonly providerAccountId: string;
  /** The account that the session came from, for providers that end sessions. */
  readonly idp?: SessionOriginRecord | null | undefined;
  /** The user's epoch when the session was issued. */
  readonly epoch: number;
  /** At most 256 characters. */
  readonly userAgent?: string | null | undefined;
  /** Truncated: the last octet of IPv4, the last 80 bits of IPv6 are 0. */
  readonly ip?: string | null | undefined;
  /** Thumbprint of the key that the session is bound to (RFC 7638). */
  readonly deviceKey?: string | null | undefined;
  /** When the session was ended before it expired. */
  readonly endedAt?: Date | null | undefined;
  /** Why it was ended. */
  readonly endReason?: string | null | undefined;
}

/** Members of a {@link SessionInfo} that change. */
export type SessionInfoPatch = Partial<Omit<SessionInfo, "id" | "userId" | "createdAt">>;
