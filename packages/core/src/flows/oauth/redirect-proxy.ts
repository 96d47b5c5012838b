import { randomToken } from "../../crypto/primitives.ts";
import { openCookie, sealCookie } from "../../crypto/sealed-cookie.ts";
import type { FlowContext } from "../../model/context.ts";
import { OAuthCallbackError } from "../../model/errors.ts";
import type { ResolvedOAuthProvider } from "../../model/resolved-config.ts";
import { PENDING_SIGN_IN_LIFETIME } from "../../model/units.ts";
import { isProxiedOrigin } from "../../protocol/proxy-origin.ts";

/**
 * Sign-in by way of a redirect proxy (docs/deployment.md#preview-deployments): an application whose URL cannot be registered at the provider, such as a
 * preview deployment, registers the URL of another that shares its secret. `state` seals who began; the proxy passes the
 * answer on to them. A Host header alone never decides where a code goes.
 */

/** The parameters of an answer that are passed on; anything else that was appended stays behind. */
const FORWARDED = ["code", "state", "iss", "error", "error_description", "session_state"] as const;

/** Whether sign-ins with this provider go through a proxy: one is configured, and it is not this very application. */
export function usesProxy(context: FlowContext, provider: ResolvedOAuthProvider): boolean {
  return provider.redirectProxyUrl !== undefined && provider.redirectProxyUrl !== context.baseUrl;
}

/** The URI to register at the provider: where it sends the browser back to. */
export function redirectUriOf(context: FlowContext, provider: ResolvedOAuthProvider): string {
  return `${provider.redirectProxyUrl ?? context.baseUrl}/callback/${provider.id}`;
}

/** A new `state`: 256 random bits; for a proxy sealed with the base URL to pass the answer on to. */
export async function newState(context: FlowContext, provider: ResolvedOAuthProvider): Promise<string> {
  const random = randomToken();
  if (!usesProxy(context, provider)) return random;
  return sealCookie({ baseUrl: context.baseUrl, random }, bindingOf(context, provider), PENDING_SIGN_IN_LIFETIME);
}

/**
 * Where to pass an answer on to, when this application is the proxy of the one that began; null when the answer is its own.
 *
 * 1. Only a state that was sealed with our secret, for this provider, within 15 minutes counts.
 * 2. The origin that began must be one that `redirectProxyOrigins` names; loopback is no exception.
 * 3. Only known parameters go on, each once and encoded anew.
 *
 * @throws OAuthCallbackError naming the option when the origin is not allowed.
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
    const value = params.get(name);
    if (value !== null) target.searchParams.set(name, value);
  }
  return target.href;
}

function bindingOf(context: FlowContext, provider: ResolvedOAuthProvider) {
  return {
    secrets: context.config.secrets,
    purpose: "proxy-state",
    salt: "proxy-state",
    provider: provider.id,
  } as const;
}
