/** Settings of one provider. */
export interface VaultProviderOptions {
  /** `"never"`: its access tokens are not refreshed, because they do not expire or because it has no refresh tokens. */
  readonly refresh?: "never" | undefined;
  /** Origins that `fetchAs` may send the provider's tokens to, such as `https://www.googleapis.com`. */
  readonly apis?: readonly string[] | undefined;
}

/** Settings of `vault()`. */
export interface VaultOptions {
  /** Whether tokens are sealed in the columns of the account; default true. Plain tokens are read either way. */
  readonly seal?: boolean | undefined;
  /** How long an access token must still be valid, in seconds or as `"60s"`, `"5m"`; default 60 seconds. */
  readonly minTtl?: number | string | undefined;
  /** Settings by id of the provider. */
  readonly providers?: Readonly<Record<string, VaultProviderOptions>> | undefined;
}

/** The options with every default. */
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

/** Fills in the defaults. @throws TypeError that names the option that cannot be read. */
export function resolveSettings({ seal = true, minTtl = 60, providers = {} }: VaultOptions): Settings {
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
  throw new TypeError(`vault: \`minTtl\` must be seconds, or a text such as "60s" or "5m".`);
}

function toOrigin(provider: string, api: string): string {
  const url = parseUrl(api);
  if (url !== null && isSecure(url) && url.origin === api.replace(/\/$/, "")) return url.origin;
  throw new TypeError(
    `vault: \`providers.${provider}.apis\` must list origins, such as "https://api.example.com" without a path; http only for this machine.`,
  );
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null; // not a URL
  }
}

/** https, or http to this machine. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname));
}
