import type { AuthConfig } from "../model/config.ts";
import type { ResolvedExtensions } from "../model/resolved-extensions.ts";
import type { Problem } from "./resolution.ts";

/** What checks and loads extensions. Each extension brings it, so that an application without any has none of it. */
export const KIT: unique symbol = Symbol.for("cardea.extension-kit");

/** An extension and where the configuration has it. */
export interface GivenExtension {
  readonly option: string;
  readonly extension: unknown;
}

/** Extensions after their check. */
export interface ExtensionsResolution {
  /** Undefined without extensions: nothing of them is loaded then. */
  readonly extensions: ResolvedExtensions | undefined;
  readonly problems: readonly Problem[];
  /** What the extensions tell the operator. */
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
  const problems = missing.map(({ option }) => ({ option, message: "must be made by `defineExtension()`" }));
  const [kit] = kits;
  return kit === undefined || problems.length > 0
    ? { extensions: undefined, problems, warnings: [] }
    : kit(given, listed);
}

/** An extension with nothing but a way to sign in is called by its provider alone: sessions stay as they are without extensions. */
function asksMore({ extension }: GivenExtension): boolean {
  return Object.keys(Object(extension)).some((member) => member !== "id" && member !== "way") || !Object(extension).way;
}

/** Only `defineExtension` puts something under the symbol. */
function parseKit(kit: unknown): ExtensionKit | undefined {
  return typeof kit === "function" ? (kit as ExtensionKit) : undefined;
}
