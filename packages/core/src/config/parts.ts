import type { AuthConfig } from "../model/config.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { Problem, SignInMethod } from "../model/sign-in-method.ts";
import type { Environment } from "./env.ts";
import type { ProvidersResolution } from "./resolve-providers.ts";

/** What an entry point adds to the kernel. Provider objects and adapters stay data: they name a part by their `type` only. */
export interface Parts {
  /** The sign-in methods, by whose types providers are found. */
  readonly methods: readonly SignInMethod[];
  /** Checks configurations. Absent: only what cannot be resolved is an error. */
  readonly checks?: Checks;
  /** Creates the users, accounts and sessions of a database. Absent: no adapter can be used. */
  readonly accounts?: (database: Pick<ResolvedConfig, "adapter" | "store">) => object;
}

/**
 * Checks a configuration, before and after it is resolved.
 *
 * @param resolve resolves what can be resolved of a configuration. Called once.
 */
export type Checks = (given: AuthConfig, env: Environment, resolve: (usable: AuthConfig) => Draft) => Checked;

/** The result of checking a configuration. */
interface Checked {
  readonly draft: Draft;
  /** All problems, those of the draft among them. */
  readonly problems: readonly Problem[];
  /** All warnings, those of the draft among them. */
  readonly warnings: readonly string[];
}

/** A configuration whose providers, extensions and cookies are resolved. */
export interface Draft extends ProvidersResolution, Pick<ResolvedConfig, "extensions" | "cookies"> {}
