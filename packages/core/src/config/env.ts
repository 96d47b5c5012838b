/** Environment variables by name; values may be absent. Passed as an argument, so that runtimes without `process.env` work. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings found in the environment (docs/environment.md; docs/behaviour.md#tokens-and-secrets;
 * docs/behaviour.md#trusted-origin).
 */
export interface EnvironmentFacts {
  /** `AUTH_SECRET`, then `AUTH_SECRET_1` to `_3` as older ones; `NEXTAUTH_SECRET` if `AUTH_SECRET` is not set. */
  readonly secrets: readonly string[];
  /** `AUTH_URL`, else `NEXTAUTH_URL`. */
  readonly url: string | undefined;
  /** Whether the host header is trusted, see `ResolvedConfig.trustHost`. */
  readonly trustHost: boolean | "loopback";
  readonly isProduction: boolean;
}

/** Reads the library's environment variables. Empty and blank values count as absent. Never throws. */
export function readEnvironment(env: Environment): EnvironmentFacts {
  const url = present(env.AUTH_URL) ?? present(env.NEXTAUTH_URL);
  const secret = present(env.AUTH_SECRET) ?? present(env.NEXTAUTH_SECRET);
  const secrets = [secret, env.AUTH_SECRET_1, env.AUTH_SECRET_2, env.AUTH_SECRET_3].map(present);
  return {
    secrets: secrets.filter((candidate) => candidate !== undefined),
    url,
    trustHost: trustHostOf(env, url),
    isProduction: env.NODE_ENV === "production",
  };
}

/** The prefix of a provider's variables. Ids that differ only in case or punctuation share it. */
export function environmentPrefixOf(providerId: string): string {
  return `AUTH_${providerId.replace(/[^A-Za-z0-9]/g, "_").toUpperCase()}`;
}

/** Warns about each pair of providers that share variable names: the secret of one would be sent to the other. */
export function sharedVariableWarnings(providerIds: Iterable<string>): string[] {
  const ids = [...providerIds];
  return ids.flatMap((id, at) => {
    const prefix = environmentPrefixOf(id);
    const other = ids.slice(0, at).find((earlier) => environmentPrefixOf(earlier) === prefix);
    if (other === undefined) return [];
    return [
      `shared-environment: providers "${other}" and "${id}" read the same environment variables, such as ${prefix}_ID and ${prefix}_SECRET, and databases that ignore case may confuse their accounts. Change one of the ids.`,
    ];
  });
}

/**
 * The environment variables of a provider: `AUTH_{ID}_ID`, `_SECRET`, `_ISSUER` and, for one that sends e-mail over HTTP,
 * `_KEY`, with the id in upper snake case.
 */
export function readProviderEnvironment(
  env: Environment,
  providerId: string,
): {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly issuer?: string;
  readonly apiKey?: string;
} {
  const prefix = environmentPrefixOf(providerId);
  const settings: [string, string | undefined][] = [
    ["clientId", env[`${prefix}_ID`]],
    ["clientSecret", env[`${prefix}_SECRET`]],
    ["issuer", env[`${prefix}_ISSUER`]],
    ["apiKey", env[`${prefix}_KEY`]],
  ];
  return Object.fromEntries(settings.filter((one): one is [string, string] => present(one[1]) !== undefined));
}

/** The redirect proxy of all providers; undefined for none. */
export function readRedirectProxy(env: Environment): string | undefined {
  return present(env.AUTH_REDIRECT_PROXY_URL);
}

/** An unset `NODE_ENV` is not development: plain Node.js and most service managers leave it unset in production. */
function trustHostOf(env: Environment, url: string | undefined): boolean | "loopback" {
  const explicit = present(env.AUTH_TRUST_HOST)?.toLowerCase();
  if (explicit !== undefined) return !["false", "0", "no", "off"].includes(explicit);
  if (url !== undefined || present(env.VERCEL) !== undefined || present(env.CF_PAGES) !== undefined) return true;
  return env.NODE_ENV === "development" || env.NODE_ENV === "test" ? true : "loopback";
}

function present(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value;
}

/** The environment variables of the runtime, if it has any. */
export function runtimeEnvironment(): Environment {
  const runtime: unknown = Reflect.get(globalThis, "process");
  // A runtime without `process` counts as production: a secret is required, and hosts are not trusted.
  return asProcess(runtime)?.env ?? { NODE_ENV: "production" };
}

/** A cast: `process` has no type here, because core also runs in runtimes without it. */
function asProcess(runtime: unknown): { readonly env?: Environment } | undefined {
  return runtime as { readonly env?: Environment } | undefined;
}
