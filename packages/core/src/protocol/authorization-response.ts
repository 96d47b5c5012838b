import { OAuthCallbackError } from "../model/errors.ts";
import type { Profile } from "../model/records.ts";
import type { ResolvedOAuthProvider, ResolvedProvider } from "../model/resolved-provider.ts";
import { parseUrl } from "./parse-url.ts";

/** The parameters that an authorization server sent through the browser (RFC 6749 §4.1.2); none of them is trusted yet. */
export type AuthorizationResponse =
  | { readonly kind: "code"; readonly state: string; readonly params: URLSearchParams }
  | { readonly kind: "error"; readonly state: string | null; readonly error: string; readonly description: string }
  | { readonly kind: "invalid"; readonly state: string | null; readonly reason: string };

/** Maximum length of code and state; providers stay far below it. */
const MAX_PARAMETER_LENGTH = 8192;

const SINGLE = ["code", "state", "iss", "error", "error_description", "error_uri", "session_state"] as const;

/**
 * Parameters that only responses to other requests contain: tokens of the implicit and hybrid flows (OAuth 2.0 Multiple
 * Response Type Encoding Practices §5, OpenID4VP §8.1), or the whole response as a JWT (JARM §2.3). We requested a code;
 * such a response may be replayed from another client or flow (RFC 9700 §2.1.2, §4.4).
 */
const OF_OTHER_FLOWS = ["access_token", "id_token", "token_type", "refresh_token", "vp_token", "response"] as const;

/**
 * Reads an authorization response. Never throws.
 *
 * 1. No parameter may appear twice (RFC 6749 §3.1).
 * 2. With `error` it is an error, whatever else it contains (RFC 6749 §4.1.2.1).
 * 3. It contains no parameter of another response type.
 * 4. Otherwise `state` and `code` are required, with a reasonable length and without control characters.
 */
export function parseAuthorizationResponse(params: URLSearchParams): AuthorizationResponse {
  const repeated = SINGLE.find((name) => params.getAll(name).length > 1);
  const state = params.getAll("state").length === 1 ? params.get("state") : null;
  if (repeated !== undefined) return { kind: "invalid", state, reason: `the parameter "${repeated}" is repeated` };
  const error = params.get("error");
  if (error !== null) {
    return { kind: "error", state, error, description: params.get("error_description") ?? "" };
  }
  const foreign = OF_OTHER_FLOWS.find((name) => params.has(name));
  if (foreign !== undefined) {
    return { kind: "invalid", state, reason: `the parameter "${foreign}" belongs to another response type` };
  }
  if (!isSane(state)) return { kind: "invalid", state: null, reason: 'the parameter "state" is missing or malformed' };
  if (!isSane(params.get("code")))
    return { kind: "invalid", state, reason: 'the parameter "code" is missing or malformed' };
  return { kind: "code", state, params };
}

function isSane(value: string | null): value is string {
  // RFC 6749 appendix A: VSCHAR.
  return value !== null && value !== "" && value.length <= MAX_PARAMETER_LENGTH && /^[\x20-\x7e]+$/.test(value);
}

/**
 * Without a configured issuer, `iss` of a response cannot be compared exactly (RFC 9207 §2.4). It still shows a mix-up: a
 * hostile provider sends the browser on to an honest one, whose code would then be exchanged at the hostile token endpoint
 * (RFC 9700 §4.4.1). Servers share hosts, so a host is not an identity:
 *
 * 1. `iss` is not exactly the issuer of another provider, unless that one has the same authorization endpoint.
 * 2. If it is the beginning of the provider's own authorization endpoint, by whole path segments, it is the provider's.
 * 3. It is not the beginning of another provider's, nor on the origin of another provider and not on the provider's own.
 *
 * @param providers all of the configuration.
 * @throws OAuthCallbackError if `iss` is that of another provider.
 */
export function requireOwnIssuer(
  provider: ResolvedOAuthProvider,
  iss: string | null,
  providers: ReadonlyMap<string, ResolvedProvider>,
): void {
  if (iss === null || provider.issuer !== undefined) return;
  const others = [...providers.values()]
    .filter((other) => other.kind === "oauth")
    .filter((other) => !isSame(other, provider));
  const isOwn = begins(iss, provider.authorization.url);
  const origins = providerOrigins(provider);
  const isOfAnother = (other: ResolvedOAuthProvider) =>
    other.issuer === iss ||
    (!isOwn && (begins(iss, other.authorization.url) || isElsewhere(providerOrigins(other), origins, originOf(iss))));
  if (!others.some(isOfAnother)) return;
  throw new OAuthCallbackError(
    `The response to provider "${provider.id}" names the issuer of another provider. If both are the same server, set \`issuer\`.`,
    { cause: { provider: provider.id, iss } },
  );
}

const isSame = (one: ResolvedOAuthProvider, other: ResolvedOAuthProvider): boolean =>
  one === other || (one.authorization.url !== undefined && one.authorization.url === other.authorization.url);

const isElsewhere = (theirs: readonly unknown[], ours: readonly unknown[], origin: string | undefined): boolean =>
  origin !== undefined && theirs.includes(origin) && !ours.includes(origin);

/** Whether a URL is the beginning of another, by whole path segments. */
function begins(start: string, url: string | undefined): boolean {
  const [one, other] = [parseUrl(start), parseUrl(url ?? "")];
  if (one === null || other === null || one.origin !== other.origin) return false;
  return `${other.pathname}/`.startsWith(`${one.pathname.replace(/\/$/, "")}/`);
}

function providerOrigins({ issuer, authorization }: ResolvedOAuthProvider): readonly unknown[] {
  return [originOf(issuer), originOf(authorization.url)];
}

const originOf = (url: string | null | undefined): string | undefined => parseUrl(url ?? "")?.origin;

/**
 * Apple sends a user's name once, as JSON in the form that the browser posts. It is unsigned, so nothing else is read from
 * it, and the provider's own claims take precedence.
 */
export function nameInAnswer(provider: ResolvedOAuthProvider, response: URLSearchParams): Profile {
  const posted = provider.formPost ? response.get("user") : null;
  if (posted === null) return {};
  try {
    const { name } = Object(JSON.parse(posted));
    return typeof name === "object" && name !== null ? { user: { name } } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
