/** A password or a second factor of a user, as stored in the database. */
export interface AdapterCredential {
  /** Primary key of the row, assigned when it is created. */
  readonly id: string;
  /** Id of the user who owns it. */
  readonly userId: string;
  /** `password` (at most one per user), `totp`, `recovery`, or a type defined by an extension. */
  readonly type: string;
  /** A hash or an encrypted secret; never the secret itself. */
  readonly secret: string;
  /** A name chosen by the user, such as that of a device; may be null or absent. */
  readonly label?: string | null | undefined;
  /** When it was enrolled or set. */
  readonly createdAt: Date;
  /** When it was last accepted; null or absent if never. */
  readonly usedAt?: Date | null | undefined;
  /** Additional data of the extension; plain JSON. */
  readonly state?: unknown;
  /** Incremented with every update. An update must specify the version that was read. */
  readonly version: number;
}

/** A credential to be stored. */
export type NewCredential = Omit<AdapterCredential, "id" | "version">;

/** An update of a credential, valid only for this version. Undefined members are not changed. */
export type CredentialChange = Pick<AdapterCredential, "id" | "version"> &
  Partial<Pick<AdapterCredential, "secret" | "label" | "usedAt" | "state">>;
