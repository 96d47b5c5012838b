import { checkOptions, isSecureUrl, optionRules, parseUrl } from "@cardea/extend";

/** Settings of one provider. */
export interface VaultProviderOptions {
  /** `"never"` disables refreshing, for providers whose access tokens do not expire or that have no refresh tokens. */
  readonly refresh?: "never" | undefined;
  /** Origins that `fetchAs` may send the provider's tokens to, such as `https://www.googleapis.com`. */
  readonly apis?: readonly string[] | undefined;
}

/** Settings of `vault()`. */
export interface VaultOptions {
  /** Whether tokens are encrypted in the account columns; default true. Plain tokens can be read in either case. */
  readonly seal?: boolean | undefined;
  /**
   * The minimum remaining lifetime of a returned access token, in seconds or as `"60s"`, `"5m"`; default 60 seconds.
   */
  readonly minTtl?: number | string | undefined;
  /** Settings by provider id. */
  readonly providers?: Readonly<Record<string, VaultProviderOptions>> | undefined;
}

/** The options with defaults applied. */
export interface Settings {
  readonly seal: boolean;
  /** Seconds. */
  readonly minTtl: number;
  /** Whether tokens of the provider are refreshed. */
  readonly refreshes: (provider: string) => boolean;
  /** Origins that tokens of the provider may be sent to. */
  readonly apisOf: (provider: string) => readonly string[];
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Fills in the defaults. @throws TypeError for an invalid option. */
export function resolveSettings(options: VaultOptions): Settings {
  const { any, boolean, object, oneOf, list } = optionRules;
  checkOptions("vault()", options, { seal: boolean, minTtl: any, providers: object });
  const { seal = true, minTtl = 60, providers = {} } = options;
  for (const [id, own] of Object.entries(providers))
    checkOptions(`vault(): \`providers.${id}\``, own, { refresh: oneOf("never"), apis: list });
  const apis = new Map(
    Object.entries(providers).map(([id, own]) => [id, (own.apis ?? []).map((api) => toOrigin(id, api))]),
  );
  return {
    seal,
    minTtl: parseTtl(minTtl),
    refreshes: (id) => providers[id]?.refresh !== "never",
    apisOf: (id) => apis.get(id) ?? [],
  };
}

function parseTtl(value: number | string): number {
  const [, digits = "", unit = "s"] = /^(\d{1,6})([smh])$/.exec(String(value)) ?? [];
  const seconds = typeof value === "number" ? value : Number(digits) * (UNITS[unit] ?? 1);
  if (Number.isFinite(seconds) && seconds >= 0 && (typeof value === "number" || digits !== "")) return seconds;
  throw new TypeError(`vault: \`minTtl\` must be a number of seconds, or a string such as "60s" or "5m".`);
}

function toOrigin(provider: string, api: string): string {
  const url = parseUrl(api);
  if (url !== null && isSecureUrl(api) && url.origin === api.replace(/\/$/, "")) return url.origin;
  throw new TypeError(
    `vault: \`providers.${provider}.apis\` must list origins without a path, such as "https://api.example.com"; http is allowed only for localhost.`,
  );
}
