/** A form in which password hashes are stored: those of this package, or those of another library that are imported. */
export interface HashFormat {
  /** Names the format in messages. */
  readonly id: string;
  /** Whether a text is a hash of this format, with parameters within its limits. Never throws. */
  matches(hash: string): boolean;
  /** Whether the password belongs to the hash. Called only for what {@link HashFormat.matches}. */
  verify(password: string, hash: string): Promise<boolean>;
  /** A hash with the highest cost that is expected, so that the time of a check can be measured. */
  sample(): Promise<string>;
  /** Memory of one check, in bytes. */
  readonly memory: number;
  /**
   * Whether the format looks at a part of this password only, or at another form of it. Then more than one password belongs to the hash,
   * and a new hash is not made from the one that was typed.
   */
  isTruncated?(password: string): boolean;
}

/** A format in which new hashes are made. */
export interface Hasher extends HashFormat {
  /** Hashes a password with a new salt. */
  hash(password: string): Promise<string>;
  /** Whether a hash of this format has the parameters that new ones get. */
  isCurrent(hash: string): boolean;
}
