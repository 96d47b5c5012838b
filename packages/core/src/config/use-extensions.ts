import type { AuthConfig } from "../model/config.ts";
import type { ResolvedExtensions } from "../model/resolved-extensions.ts";
import type { Problem } from "../model/sign-in-method.ts";

/** The symbol under which an extension carries the code that checks and loads extensions. Without extensions, it is not bundled. */
export const KIT: unique symbol = Symbol.for("cardea.extension-kit");

/** An extension and its place in the configuration. */
export interface GivenExtension {
  readonly option: string;
  readonly extension: unknown;
}

/** Result of checking the extensions. */
export interface ExtensionsResolution {
  /** Undefined without extensions; their code is not loaded then. */
  readonly extensions: ResolvedExtensions | undefined;
  readonly problems: readonly Problem[];
  /** Warnings of the extensions for the operator. */
  readonly warnings: readonly string[];
}

/** Checks the extensions of a configuration. */
export type ExtensionKit = (given: AuthConfig, listed: readonly GivenExtension[]) => ExtensionsResolution;

/** Resolves the extensions of the option, then those that providers carry. */
export function useExtensions(given: AuthConfig, carried: readonly GivenExtension[]): ExtensionsResolution {
  const configured = (given.extensions ?? []).map((extension, n) => ({ option: `extensions[${n}]`, extension }));
  const listed = [...configured, ...carried.filter(asksMore)].filter(({ extension }) => Boolean(extension));
  const kits = listed.map(({ extension }) => parseKit(Object(extension)[KIT]));
  const missing = listed.filter((_, n) => kits[n] === undefined);
  const problems = missing.map(({ option }) => ({ option, message: "must be created by `defineExtension()`" }));
  const [kit] = kits;
  return kit === undefined || problems.length > 0
    ? { extensions: undefined, problems, warnings: [] }
    : kit(given, listed);
}

/** An extension that only defines a sign-in method is called by its provider alone, so sessions work as without extensions. */
function asksMore({ extension }: GivenExtension): boolean {
  return Object.keys(Object(extension)).some((member) => member !== "id" && member !== "way") || !Object(extension).way;
}

/** Only `defineExtension` writes to the symbol. */
function parseKit(kit: unknown): ExtensionKit | undefined {
  return typeof kit === "function" ? (kit as ExtensionKit) : undefined;
}
