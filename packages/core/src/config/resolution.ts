import type { ResolvedProvider } from "../model/resolved-config.ts";

/** Something that is wrong with the configuration, to be told together with everything else that is. */
export interface Problem {
  /** The option, such as `session.maxAge`. */
  readonly option: string;
  readonly message: string;
}

/** What became of one entry of `providers`. */
export type ProviderResolution =
  | { readonly provider: ResolvedProvider; readonly warnings: readonly string[] }
  | { readonly problem: Problem };

/** Says that a provider cannot be used as it is. */
export function problem(option: string, message: string): ProviderResolution {
  return { problem: { option, message } };
}
