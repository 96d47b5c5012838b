import type { ResolvedCookies } from "./resolved-config.ts";

/**
 * Finds values that must not be logged. Loaded with the first log line, since most requests write none (decisions/012).
 */
export interface SecretFinder {
  /** The values of a query or a body that may be secrets. */
  secretsIn(fields: Iterable<readonly [string, unknown]>): Iterable<string>;
  /** The values of the library's cookies, and of others that look like a secret. */
  secretCookies(
    cookies: ResolvedCookies,
    received: ReadonlyMap<string, string>,
    repeated: ReadonlyMap<string, readonly string[]>,
  ): Iterable<string>;
}
