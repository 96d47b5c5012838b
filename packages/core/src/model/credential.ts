/** A password or a second factor of a user as the database has it. */
export interface AdapterCredential {
  readonly id: string;
  readonly userId: string;
  /** `password`, of which a user has at most one; `totp`, `recovery`, or what an extension names. */
  readonly type: string;
  /** A hash, or a sealed secret; never the secret itself. */
  readonly secret: string;
  readonly label?: string | null | undefined;
  readonly createdAt: Date;
  readonly usedAt?: Date | null | undefined;
  /** What the extension keeps beside it; plain JSON. */
  readonly state?: unknown;
  /** Moves with every change: who changes says which one they have read. */
  readonly version: number;
}

/** A credential before the database has it. */
export type NewCredential = Omit<AdapterCredential, "id" | "version">;

/** A change of a credential, good for this version only; members that are undefined change nothing. */
export type CredentialChange = Pick<AdapterCredential, "id" | "version"> &
  Partial<Pick<AdapterCredential, "secret" | "label" | "usedAt" | "state">>;
