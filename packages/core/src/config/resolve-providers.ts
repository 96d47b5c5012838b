import type { AuthConfig } from "../model/config.ts";
import type { ResolvedProvider } from "../model/resolved-provider.ts";
import { type Environment, sharedVariableWarnings } from "./env.ts";
import type { Problem } from "./resolution.ts";
import { resolveProvider } from "./resolve-provider.ts";
import type { GivenExtension } from "./use-extensions.ts";

/** The providers of a configuration, and all their problems. */
export interface ProvidersResolution {
  readonly providers: ReadonlyMap<string, ResolvedProvider>;
  /** The kinds of all providers, including those with problems. */
  readonly kinds: ReadonlySet<ResolvedProvider["kind"]>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  /** The extensions that provider objects carry. */
  readonly carried: readonly GivenExtension[];
}

const KINDS: Readonly<Record<string, ResolvedProvider["kind"]>> = {
  oauth: "oauth",
  oidc: "oauth",
  email: "email",
  credentials: "credentials",
  webauthn: "webauthn",
};

/** Resolves every enabled provider. */
export function resolveProviders(given: AuthConfig, env: Environment): ProvidersResolution {
  const providers = new Map<string, ResolvedProvider>();
  const kinds = new Set<ResolvedProvider["kind"]>();
  const ids: string[] = [];
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const carried: GivenExtension[] = [];
  for (const [index, provider] of given.providers.entries()) {
    // `condition && Provider`: disabled entries are ignored.
    if (isLeftOut(provider)) continue;
    const resolution = resolveProvider(provider, index, env, given.redirectProxyUrl);
    const { id, type } = "provider" in resolution ? resolution.provider : resolution;
    const kind = KINDS[String(type)];
    if (kind !== undefined) kinds.add(kind);
    if (id !== undefined && ids.includes(id))
      problems.push({ option: `providers[${index}].id`, message: `"${id}" is used by another provider` });
    if (id !== undefined) ids.push(id);
    if ("provider" in resolution) {
      providers.set(resolution.provider.id, resolution.provider);
      carried.push({ option: `providers[${index}].extension`, extension: resolution.extension });
    } else problems.push(...resolution.problems);
    warnings.push(...(("provider" in resolution ? resolution.warnings : resolution.notes) ?? []));
  }
  return { providers, kinds, problems, carried, warnings: [...warnings, ...sharedVariableWarnings(new Set(ids))] };
}

function isLeftOut(provider: AuthConfig["providers"][number]): provider is false | null | undefined | "" {
  return provider === false || provider === null || provider === undefined || provider === "";
}
