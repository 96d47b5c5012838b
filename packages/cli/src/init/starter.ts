/** The content of a new application. */
export interface Starter {
  /** File contents by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  /** Value of the script `dev`. */
  readonly dev: string;
  /** Folders that the framework writes, which git ignores. */
  readonly built?: readonly string[];
}
