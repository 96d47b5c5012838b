import { randomToken } from "../crypto/primitives.ts";
import { openCookie, sealCookie } from "../crypto/sealed-claims.ts";
import type { FlowContext } from "../model/context.ts";
import { OAuthCallbackError } from "../model/errors.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import { PENDING_SIGN_IN_LIFETIME } from "../model/units.ts";
import { isProxiedOrigin } from "../protocol/proxy-origin.ts";

/**
 * Sign-in through a redirect proxy (docs/deployment.md#preview-deployments): an application whose URL cannot be registered
 * with the provider, such as a preview deployment, registers the URL of another one with the same secret. The encrypted
 * `state` contains the origin of the sign-in, to which the proxy forwards the response. A Host header never determines
 * where a code is sent.
 */

/** The forwarded parameters of a response; all others are dropped. */
const FORWARDED = ["code", "state", "iss", "error", "error_description", "session_state"] as const;
/** A form may also contain the user's name, in JSON, which Apple sends once. */
const MAX_USER = 1024;

/** Whether sign-ins with this provider use a proxy: one is configured, and it is not this application. */
export function usesProxy(context: FlowContext, provider: ResolvedOAuthProvider): boolean {
  return provider.redirectProxyUrl !== undefined && provider.redirectProxyUrl !== context.baseUrl;
}

/** The redirect URI to register with the provider. */
export function redirectUriOf(context: FlowContext, provider: ResolvedOAuthProvider): string {
  return `${provider.redirectProxyUrl ?? context.baseUrl}/callback/${provider.id}`;
}

/** A new `state`: 256 random bits; for a proxy, encrypted with the base URL to forward the response to. */
export async function newState(context: FlowContext, provider: ResolvedOAuthProvider): Promise<string> {
  const random = randomToken();
  if (!usesProxy(context, provider)) return random;
  return sealCookie({ baseUrl: context.baseUrl, random }, bindingOf(context, provider), PENDING_SIGN_IN_LIFETIME);
}

/**
 * The URL to forward a response to, if this application is the proxy of the one that started the sign-in; null if it is its
 * own.
 *
 * 1. The state was encrypted with our secret within 15 minutes, for this provider with the same endpoints: another's server could
 *    send the browser on to ours, and receive its code (draft-ietf-oauth-security-topics-update §2.2).
 * 2. `redirectProxyOrigins` contains the origin that started the sign-in; loopback is no exception.
 * 3. Only known parameters are forwarded, re-encoded; repeated ones repeatedly, so that the application refuses them.
 *
 * @throws OAuthCallbackError naming the option if the origin is not allowed.
 */
export async function forwardByProxy(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  params: URLSearchParams,
): Promise<string | null> {
  const [state, ...more] = params.getAll("state");
  if (state === undefined || more.length > 0) return null;
  const sealed = await openCookie(state, bindingOf(context, provider));
  if (sealed?.baseUrl === undefined || sealed.baseUrl === context.baseUrl) return null;
  const { origin } = new URL(sealed.baseUrl);
  if (!isProxiedOrigin(origin, context.config.redirectProxyOrigins)) {
    throw new OAuthCallbackError(
      `A sign-in that was started at ${origin} was not forwarded, because \`redirectProxyOrigins\` does not contain that origin.`,
      { cause: { provider: provider.id, origin } },
    );
  }
  const target = new URL(`${sealed.baseUrl}/callback/${provider.id}`);
  for (const name of FORWARDED) {
    for (const value of params.getAll(name)) target.searchParams.append(name, value);
  }
  const user = provider.formPost ? params.get("user") : null;
  if (user !== null && user.length <= MAX_USER) target.searchParams.set("user", user);
  return target.href;
}

function bindingOf({ config: { secrets } }: FlowContext, { id, issuer, authorization, token }: ResolvedOAuthProvider) {
  const provider = JSON.stringify([id, issuer, authorization.url, token.url]);
  return { secrets, purpose: "proxy-state", salt: "proxy-state", provider } as const;
}
