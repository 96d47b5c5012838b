import type { Parts } from "./sign-in-parts.ts";

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

/** What the templates of new applications are made of. */
export interface StarterParts extends Parts {
  /** Import lines required by `signIn`. Takes the path of `users.js` if it is in another folder. */
  readonly imports: (users?: string) => readonly string[];
}
