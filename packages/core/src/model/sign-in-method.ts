import type { AuthError } from "./errors.ts";
import type { ResolvedProvider } from "./resolved-provider.ts";

/**
 * A sign-in method: a part of core that an entry point brings, or the one that a provider object brings as its extension. It is found by
 * the `type` of a provider object.
 */
export interface SignInMethod<P extends ResolvedProvider = ResolvedProvider> {
  /** Types of the provider objects that use this method. */
  readonly types: readonly string[];
  /** Kind of the resolved providers. */
  readonly kind: P["kind"];
  /** Members of such a provider object, for warnings about misspelled ones. */
  readonly members: readonly string[];
  /** Checks a provider object at startup, and fills in defaults. */
  resolve(given: GivenProvider): ProviderResolution<P>;
}

/** A provider object as it is configured. Its id is valid; its other members are not checked. */
export interface GivenProvider {
  /** Unique in the configuration. */
  readonly id: string;
  /** The provider object; its `options` override the other members. */
  readonly members: Readonly<Record<PropertyKey, unknown>>;
  /** The same object, completed by the settings of the environment. */
  readonly complete: Readonly<Record<PropertyKey, unknown>>;
  /** Whether `NODE_ENV` is `production`. */
  readonly isProduction: boolean;
}

/** The result of resolving a provider object. */
export type ProviderResolution<P extends ResolvedProvider = ResolvedProvider> =
  | { readonly problems: readonly ProviderProblem[] }
  | {
      readonly provider: P;
      readonly warnings: readonly string[];
      /** Values that must never be logged. */
      readonly secrets: readonly (string | undefined)[];
    };

/** One problem of a provider object. */
export interface ProviderProblem extends Pick<Problem, "message" | "error"> {
  /** The member of the provider object; absent for a problem of the whole. */
  readonly member?: string;
}

/** One configuration problem; all are reported together. */
export interface Problem {
  /** The option, such as `session.maxAge`. */
  readonly option: string;
  /** What the option must be; never a configured value that could be a secret. */
  readonly message: string;
  /** Creates the error that is thrown if this is the only problem; default `InvalidConfiguration`. */
  readonly error?: (message: string) => AuthError;
}
