import { OAuthCallbackError } from "../../model/errors.ts";
import type { ResolvedOAuthProvider, ResolvedProvider } from "../../model/resolved-provider.ts";
import { parseUrl } from "../../protocol/parse-url.ts";

/**
 * Without a configured issuer, `iss` of a response cannot be compared exactly (RFC 9207 §2.4). It still shows a mix-up: a
 * hostile provider sends the browser on to an honest one, whose code would then be exchanged at the hostile token endpoint
 * (RFC 9700 §4.4.1).
 *
 * @param providers all of the configuration.
 * @throws OAuthCallbackError if `iss` is on the origin of another provider, and not on the provider's own.
 */
export function requireOwnIssuer(
  provider: ResolvedOAuthProvider,
  iss: string | null,
  providers: ReadonlyMap<string, ResolvedProvider>,
): void {
  const origin = originOf(iss);
  if (provider.issuer !== undefined || origin === undefined || originsOf(provider).includes(origin)) return;
  if (![...providers.values()].some((other) => originsOf(other).includes(origin))) return;
  throw new OAuthCallbackError(`The response to provider "${provider.id}" names the issuer of another provider.`, {
    cause: { provider: provider.id, iss },
  });
}

function originsOf(provider: ResolvedProvider): readonly unknown[] {
  return provider.kind === "oauth" ? [originOf(provider.issuer), originOf(provider.authorization.url)] : [];
}

const originOf = (url: string | null | undefined): string | undefined => parseUrl(url ?? "")?.origin;
