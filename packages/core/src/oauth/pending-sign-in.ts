import { clearPending, type PendingKind, readPending, storePending } from "../cookies/pending.ts";
import { randomToken, sha256 } from "../crypto/primitives.ts";
import { decryptCookie, encryptCookie } from "../crypto/sealed-claims.ts";
import type { SignInContext } from "../model/callbacks.ts";
import type { FlowContext } from "../model/context.ts";
import { InvalidCheck, OAuthCallbackError } from "../model/errors.ts";
import type { Choice } from "../model/identity.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import type { RequestedParams } from "../model/sign-in-method.ts";
import { type EpochSeconds, PENDING_SIGN_IN_LIFETIME } from "../model/units.ts";
import { isProxiedOrigin } from "../protocol/proxy-origin.ts";
import { parseContext, writeContext } from "../protocol/sign-in-context.ts";

/** The state of a sign-in, needed when the browser returns from the provider. */
export interface PendingOAuth {
  readonly state: string;
  readonly callbackUrl: string;
  /** Fingerprint of the session that started it; undefined if no user was signed in, or if it does not matter. */
  readonly startedIn: string | undefined;
  /** Whether the browser had other cookies, which a form from the provider's site lacks; of such providers only. */
  readonly hasCookies: boolean;
  /** The mark of the page `confirm-address` that started it. */
  readonly startedFor: string | undefined;
  /** What to do with an account that is not that of the signed-in user; undefined if the application started the sign-in. */
  readonly choice: Choice | undefined;
  /** Whether the owner of the address wants a new user. */
  readonly startsFresh: boolean;
  /**
   * The earliest acceptable time of the user's authentication at the provider, if `max_age` was requested (OIDC Core
   * §3.1.2.1).
   */
  readonly authenticatedSince: EpochSeconds | undefined;
  /** The application's own data. */
  readonly context: SignInContext | undefined;
  /** The parameters that were requested; undefined if the sign-in cannot start again. */
  readonly requested: RequestedParams | undefined;
  /**
   * Set for re-authentication of a session's user, which must have no other effect (see `model/extension.ts`,
   * `Reauthentication`).
   */
  readonly reauthentication: string | undefined;
  readonly codeVerifier: string | undefined;
  readonly nonce: string | undefined;
}

/** All parts are in one cookie, so that none can be lost or exchanged with that of another sign-in (decisions/002). */
const PENDING_OAUTH: PendingKind<Omit<PendingOAuth, "state">> = {
  cookie: "state",
  purpose: "state",
  write: ({
    callbackUrl,
    startedIn = "",
    startedFor = "",
    hasCookies,
    startsFresh,
    choice,
    authenticatedSince = "",
    reauthentication = "",
    context,
    requested,
    codeVerifier = "",
    nonce = "",
  }) => ({
    to: callbackUrl,
    session: startedIn,
    cookies: hasCookies ? "1" : "",
    page: startedFor,
    fresh: startsFresh ? "1" : "",
    choice: choice === undefined ? "" : `${choice.answer}:${choice.account}`,
    since: String(authenticatedSince),
    again: reauthentication,
    context: writeContext(context),
    asked: writeRequested(requested),
    pkce: codeVerifier,
    nonce,
  }),
  parse: ({ to, session, cookies, page, fresh, choice, since, again, context, asked, pkce, nonce }) =>
    to === undefined
      ? null
      : {
          callbackUrl: to,
          startedIn: session || undefined,
          hasCookies: cookies === "1",
          startedFor: page || undefined,
          startsFresh: fresh === "1",
          choice: parseChoice(choice),
          authenticatedSince: since ? Number(since) : undefined,
          reauthentication: again || undefined,
          context: parseContext(context),
          requested: parseRequested(asked),
          codeVerifier: pkce || undefined,
          nonce: nonce || undefined,
        },
};

function parseChoice(text = ""): Choice | undefined {
  const [answer, account = ""] = text.split(":", 2);
  return answer === "ask" || answer === "add" || answer === "switch" ? { answer, account } : undefined;
}

/** Longer parameters would leave no room for the destination. */
const MAX_REQUESTED = 512;

function writeRequested(requested: RequestedParams | undefined): string {
  const text = requested === undefined ? "" : JSON.stringify({ by: requested.by, params: [...requested.params] });
  return text.length <= MAX_REQUESTED ? text : "";
}

function parseRequested(asked: string | undefined): RequestedParams | undefined {
  // Encrypted: only `writeRequested` wrote it.
  return asked ? (JSON.parse(asked) as RequestedParams) : undefined;
}

/**
 * Creates the secrets of a new sign-in in addition to its `state`: 256 random bits each (RFC 7636 §7.1, RFC 6749 §10.10).
 */
export function newPendingSignIn(
  state: string,
  start: Omit<PendingOAuth, "state" | "authenticatedSince" | "codeVerifier" | "nonce">,
  use: { readonly pkce: boolean; readonly nonce: boolean },
): PendingOAuth {
  return {
    ...start,
    authenticatedSince: undefined,
    state,
    codeVerifier: use.pkce ? randomToken() : undefined,
    nonce: use.nonce ? randomToken() : undefined,
  };
}

/** Adds the pending sign-in to the jar. */
export function storePendingSignIn(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  pending: PendingOAuth,
): Promise<void> {
  return storePending(context, PENDING_OAUTH, { provider, secret: pending.state }, pending);
}

/** The pending sign-in that belongs to `state`; null if there is none for this provider, or it has expired. */
export function findPendingSignIn(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  state: string,
): Promise<Omit<PendingOAuth, "state"> | null> {
  return readPending(context, PENDING_OAUTH, { provider, secret: state });
}

/**
 * Consumes the pending sign-in that belongs to `state`: its cookie is cleared regardless of the result, and it can be
 * used only once. If the browser still has the cookie of one that was consumed, the answer never arrived: its code is not sent again, but
 * the sign-in may start again; see {@link requireRestart}.
 *
 * @throws InvalidCheck if there is none for this provider, it has expired, or was consumed and cannot start again.
 */
export async function consumePendingSignIn(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  state: string,
): Promise<PendingOAuth & { readonly isConsumed: boolean }> {
  await clearPending(context, PENDING_OAUTH, { provider, secret: state });
  const pending = await findPendingSignIn(context, provider, state);
  if (pending === null) throw stale(provider);
  const isConsumed = !consumeOnce(await sha256(state), context.now());
  if (isConsumed && pending.requested === undefined) throw replayed(provider);
  return { state, ...pending, isConsumed };
}

/**
 * What to request from the provider when a sign-in starts again, which it does once: what is started then has no such parameters.
 *
 * @throws InvalidCheck if it has started again.
 */
export async function requireRestart(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  { state, requested }: PendingOAuth,
): Promise<RequestedParams> {
  const isFirst = consumeOnce(await sha256(`again ${state}`), context.now());
  if (requested === undefined || !isFirst) throw replayed(provider);
  return requested;
}

/**
 * Hashes of the states that this process has consumed. Clearing a cookie is a request to the browser: an attacker who copied the
 * `Cookie` header can send the callback again, and a provider that accepts codes twice would then open a second session. Other
 * processes do not know the hashes; there, the provider's single use of the code and the lifetime of the cookie protect. A table
 * would cost a write for each sign-in and a database that core does not require; a map per configuration would be empty where an
 * application creates its configuration for each request.
 */
const consumed = new Map<string, EpochSeconds>();
const MAX_REMEMBERED = 10_000;

function consumeOnce(hash: string, now: EpochSeconds): boolean {
  if (consumed.has(hash)) return false;
  for (const [old, at] of consumed) {
    if (now - at <= PENDING_SIGN_IN_LIFETIME && consumed.size < MAX_REMEMBERED) break;
    consumed.delete(old);
  }
  consumed.set(hash, now);
  return true;
}

function stale(provider: ResolvedOAuthProvider): InvalidCheck {
  return new InvalidCheck("No matching sign-in was started in this browser within the last 15 minutes. Start again.", {
    cause: { provider: provider.id },
  });
}

function replayed(provider: ResolvedOAuthProvider): InvalidCheck {
  return new InvalidCheck("This response was already used. Start again.", { cause: { provider: provider.id } });
}

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
  return encryptCookie({ baseUrl: context.baseUrl, random }, bindingOf(context, provider), PENDING_SIGN_IN_LIFETIME);
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
  const sealed = await decryptCookie(state, bindingOf(context, provider));
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
