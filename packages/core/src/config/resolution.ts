import { type AuthError, InvalidConfiguration } from "../model/errors.ts";
import type { ResolvedProvider } from "../model/resolved-provider.ts";

/** One configuration problem; all are reported together. */
export interface Problem {
  /** The option, such as `session.maxAge`. */
  readonly option: string;
  /** What the option must be; never a configured value that could be a secret. */
  readonly message: string;
  /** Creates the error that is thrown if this is the only problem; default `InvalidConfiguration`. */
  readonly error?: (message: string) => AuthError;
}

/** Result of resolving one entry of `providers`. */
export type ProviderResolution =
  | {
      readonly provider: ResolvedProvider;
      readonly warnings: readonly string[];
      /** What the provider object carries as its extension; not checked. */
      readonly extension?: unknown;
    }
  | {
      readonly problems: readonly Problem[];
      /** Warnings about the same entry. */
      readonly notes?: readonly string[];
      readonly id?: string;
      readonly type?: unknown;
    };

/** The result for a provider that cannot be used, with one problem. */
export function problem(option: string, message: string, error?: Problem["error"]): ProviderResolution {
  return { problems: [{ option, message, ...(error === undefined ? {} : { error }) }] };
}

/**
 * Reports all problems in one error.
 *
 * @param notes additional lines for the message that would otherwise be warnings, such as a misspelled option.
 * @throws the problem's own error if it is the only one, else InvalidConfiguration; does nothing without a problem.
 */
export function requireNoProblem(problems: readonly Problem[], notes: readonly string[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const noted = notes.map((note) => `  - ${note}\n`).join("");
  if (first.error !== undefined && problems.length === 1) {
    throw first.error(`\`${first.option}\` ${first.message}.${noted && `\n${noted}`}`);
  }
  const lines = problems.map(({ option, message }) => `  - \`${option}\` ${message}\n`);
  const headline = `The configuration has ${problems.length === 1 ? "a problem" : "problems"}:`;
  throw new InvalidConfiguration(`${headline}\n${lines.join("")}${noted}`);
}
