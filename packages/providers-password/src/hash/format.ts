/** A format of password hashes, of this package or imported from another library. */
export interface HashFormat {
  /** Name of the format in messages. */
  readonly id: string;
  /** Whether a string is a hash of this format, with parameters within its limits. Never throws. */
  matches(hash: string): boolean;
  /** Whether the password matches the hash. Called only if {@link HashFormat.matches} returned true. */
  verify(password: string, hash: string): Promise<boolean>;
  /** Returns a hash with the highest accepted cost, used to measure the duration of a check. */
  sample(): Promise<string>;
  /** Memory per check, in bytes. */
  readonly memory: number;
  /** Memory to check this hash, in bytes, if that may be more than {@link HashFormat.memory}. */
  memoryOf?(hash: string): number;
  /**
   * Whether the format uses only part of this password, or a modified form of it. More than one password then matches
   * the hash, so it is not upgraded with the submitted password.
   */
  isTruncated?(password: string): boolean;
}

/** A format for new hashes. */
export interface Hasher extends HashFormat {
  /** Hashes a password with a new salt. */
  hash(password: string): Promise<string>;
  /** Whether a hash of this format has the parameters of new hashes. */
  isCurrent(hash: string): boolean;
}
