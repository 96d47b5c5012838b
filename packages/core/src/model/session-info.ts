/** A proof that a user gave: the method, and when in seconds since the epoch. */
export interface FactorRecord {
  readonly m: string;
  readonly t: number;
}

/** The account at a provider that a session came from, as it is stored. */
export interface SessionOriginRecord {
  readonly provider: string;
  readonly sub: string;
  readonly iss?: string;
  readonly sid?: string;
  readonly e?: number;
}

/** What is recorded of one session, with either strategy. It holds no session token. */
export interface SessionInfo {
  /** Public id, 128 random bits in base64url: what lists of sessions show. */
  readonly id: string;
  /** SHA-256 in base64url of the session token or, with the `jwt` strategy, of its `jti`. Unique. */
  readonly tokenHash: string;
  readonly userId: string;
  readonly createdAt: Date;
  /** When the session was last renewed; reading a session writes nothing. */
  readonly seenAt: Date;
  readonly expires: Date;
  readonly factors: readonly FactorRecord[];
  /** Authentication context class of the provider (OIDC Core §2). */
  readonly acr?: string | null | undefined;
  /** Id of the provider. */
  readonly provider: string;
  readonly providerAccountId: string;
  readonly idp?: SessionOriginRecord | null | undefined;
  /** The user's epoch when the session was issued. */
  readonly epoch: number;
  /** At most 256 characters. */
  readonly userAgent?: string | null | undefined;
  /** Truncated: the last octet of IPv4, the last 80 bits of IPv6 are 0. */
  readonly ip?: string | null | undefined;
  /** Thumbprint of the key that the session is bound to (RFC 7638). */
  readonly deviceKey?: string | null | undefined;
  readonly endedAt?: Date | null | undefined;
  readonly endReason?: string | null | undefined;
}

/** Members of a {@link SessionInfo} that change. */
export type SessionInfoPatch = Partial<Omit<SessionInfo, "id" | "userId" | "createdAt">>;
