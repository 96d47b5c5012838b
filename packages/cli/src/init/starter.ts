/** What a new application consists of. */
export interface Starter {
  /** Texts by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  /** Value of the script `dev`. */
  readonly dev: string;
}
