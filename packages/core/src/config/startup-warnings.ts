import type { AuthConfig } from "../model/config.ts";
import type { ResolvedProvider } from "../model/resolved-config.ts";
import { parseUrl } from "../protocol/parse-url.ts";

/** What a valid configuration should still be told about. Never throws. */
export function findStartupWarnings(
  given: AuthConfig,
  providers: readonly ResolvedProvider[],
  origin: string | undefined,
): string[] {
  return [...experimentalWarnings(given), ...logoWarnings(given, providers, origin)];
}

function experimentalWarnings(given: AuthConfig): string[] {
  if (given.experimental?.enableWebAuthn !== true) return [];
  return ["experimental-webauthn: passkeys are an experiment; they may change or be removed without notice."];
}

/** The pages allow images of the application's own origin only, so that no other site learns who signs in. */
function logoWarnings({ theme }: AuthConfig, providers: readonly ResolvedProvider[], origin: string | undefined) {
  const isForeign = (logo: unknown) => typeof logo === "string" && isOnOtherHost(logo, origin);
  const names = [
    ...(isForeign(theme?.logo) ? ["`theme.logo`"] : []),
    ...providers.filter(({ style }) => isForeign(style.logo)).map(({ id }) => `provider "${id}"`),
  ];
  if (names.length === 0) return [];
  return [
    `foreign-logo: the logo of ${names.join(", ")} is on another host and is never shown; use a path of the application or a \`data:\` URL.`,
  ];
}

/** Without a configured origin no absolute URL is known to be ours; the pages decide by the host of each request. */
function isOnOtherHost(logo: string, origin: string | undefined): boolean {
  if (!/^(?:https?:|[\\/]{2})/i.test(logo.trim())) return false;
  const base = origin ?? "https://host.invalid";
  return parseUrl(logo, base)?.host !== new URL(base).host;
}
