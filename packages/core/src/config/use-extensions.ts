import type { AuthConfig } from "../model/config.ts";
import type { ResolvedExtensions } from "../model/resolved-extensions.ts";
import type { ResolvedWebAuthnProvider } from "../model/resolved-provider.ts";
import type { Problem, SignInMethod } from "../model/sign-in-method.ts";
import { type SignInMethodSpec, TO_METHOD } from "../model/sign-in-method-spec.ts";

/** The symbol under which an extension carries the code that checks and loads extensions. Without extensions, it is not bundled. */
export const KIT: unique symbol = Symbol.for("cardea.extension-kit");

/** Rises when `@cardea/extend` can no longer work with an older core, or the reverse. Each writes it down; imported, it would always fit. */
export const PROTOCOL = 1;

/** This copy of core. What extensions call belongs to one copy, and would not find the state of another. */
export const COPY: object = Object.freeze({});

/** An extension and its place in the configuration. */
export interface GivenExtension {
  readonly option: string;
  readonly extension: unknown;
}

/** The extensions of the option. */
export function listedExtensions({ extensions = [] }: AuthConfig): readonly GivenExtension[] {
  return extensions.map((extension, n) => ({ option: `extensions[${n}]`, extension }));
}

/** Makes a definition the method that core uses. */
export type ToMethod = (spec: SignInMethodSpec) => SignInMethod<ResolvedWebAuthnProvider>;

/**
 * The sign-in methods that extensions bring, each once: those of the option, then those that provider objects carry. Only what
 * `defineSignInMethod` created is one.
 */
export function broughtMethods(listed: readonly GivenExtension[]): readonly BroughtMethod[] {
  const found = new Map<object, BroughtMethod>();
  for (const { option, extension } of listed) {
    const definition: object = Object(Object(extension).method);
    const toMethod: unknown = Reflect.get(definition, TO_METHOD);
    if (typeof toMethod !== "function" || found.has(definition)) continue;
    found.set(definition, { option, method: (toMethod as ToMethod)(definition as SignInMethodSpec) });
  }
  return [...found.values()];
}

/** A sign-in method, and the option of the extension that brings it. */
interface BroughtMethod {
  readonly option: string;
  readonly method: SignInMethod;
}

/** Result of checking the extensions. */
export interface ExtensionsResolution {
  /** Undefined without extensions; their code is not loaded then. */
  readonly extensions: ResolvedExtensions | undefined;
  readonly problems: readonly Problem[];
  /** Warnings of the extensions for the operator. */
  readonly warnings: readonly string[];
}

/** What `defineExtension()` adds to an extension. */
export interface ExtensionKit {
  readonly protocol: number;
  /** The copy of core that it uses. */
  readonly copy: object;
  /** Checks the extensions of a configuration. */
  readonly resolve: (given: AuthConfig, listed: readonly GivenExtension[]) => ExtensionsResolution;
}

/** Resolves the extensions of the option, then those that providers carry. */
export function useExtensions(given: AuthConfig, carried: readonly GivenExtension[]): ExtensionsResolution {
  const own = listedExtensions(given);
  const all = [...own, ...carried].filter(({ extension }) => Boolean(extension));
  const problems = all.flatMap(({ option, extension }) =>
    describeMisfit(extension).map((message) => ({ option, message })),
  );
  const listed = all.filter((one) => own.includes(one) || asksMore(one));
  const kit: ExtensionKit | undefined = Object(listed[0]?.extension)[KIT];
  if (kit === undefined || problems.length > 0) return { extensions: undefined, problems, warnings: [] };
  return kit.resolve(given, listed);
}

/** An extension that only defines a sign-in method is called by its provider alone, so sessions work as without extensions. */
function asksMore({ extension }: GivenExtension): boolean {
  return (
    Object.keys(Object(extension)).some((member) => member !== "id" && member !== "method") || !Object(extension).method
  );
}

/** Why an extension cannot be used; empty if it can. */
function describeMisfit(extension: unknown): readonly string[] {
  const { protocol, copy }: Partial<ExtensionKit> = Object(Object(extension)[KIT]);
  if (typeof protocol !== "number") return ["must be created by `defineExtension()`"];
  if (protocol !== PROTOCOL) {
    const [older, newer] =
      protocol < PROTOCOL ? ["@cardea/extend", "@cardea/core"] : ["@cardea/core", "@cardea/extend"];
    return [
      `uses a version of ${older} that is too old for this ${newer}; update ${older} and the package of the extension`,
    ];
  }
  if (copy === COPY) return [];
  return ["uses another copy of @cardea/core than the application; install one (`npm ls @cardea/core` lists them)"];
}
