import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { setCookie } from "../cookies/own-cookie.ts";
import type { AdapterUser } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { Callbacks } from "../model/callbacks.ts";
import type { ActionContext, FlowContext } from "../model/context.ts";
import { AccessDenied, InvalidCallbackUrl } from "../model/errors.ts";
import type { ClaimedIdentity } from "../model/identity.ts";
import type { Account, User } from "../model/records.ts";
import { canonicalLocation, parseApplicationUrl, parseSameOriginUrl } from "../protocol/redirect-target.ts";
import { contextMember } from "../protocol/sign-in-context.ts";

/**
 * Maximum length of a location: in the encrypted cookie of a pending sign-in it stays below the 4096 bytes that browsers
 * store.
 */
const MAX_LOCATION_LENGTH = 2048;

/** Maximum length of the callback-url cookie's value; with its name and attributes it stays below 4096 bytes. */
const MAX_REMEMBERED_LENGTH = 3584;

/**
 * Decides where to redirect to: through `callbacks.redirect`, by default only to the same origin and to those of the option
 * `origins` (docs/callbacks.md; docs/behaviour.md#redirects). Never throws: a rejected location, and a callback that throws, lead to the base URL.
 *
 * @param location from the client or from a callback; untrusted, as is its type where a framework passes on what a client sent. Not
 *   text, empty or longer than 2048 characters: the base URL.
 */
export async function resolveRedirect(context: FlowContext, location: unknown): Promise<string> {
  return (await acceptRedirect(context, location)) ?? context.origin;
}

/** As {@link resolveRedirect}; null if the location is rejected. */
async function acceptRedirect(context: FlowContext, location: unknown): Promise<string | null> {
  const { origin, config } = context;
  if (typeof location !== "string" || location === "" || location.length > MAX_LOCATION_LENGTH) return null;
  const custom = config.callbacks.redirect;
  const target =
    custom === undefined
      ? parseSameOriginUrl(location, origin, config.origins)
      : await callRedirectCallback(context, custom, location);
  return target === null || target.length > MAX_LOCATION_LENGTH ? null : target;
}

/** The callback receives the canonical location only; one that is not a URL leads to the base URL without a call. */
async function callRedirectCallback(
  context: FlowContext,
  redirect: NonNullable<Callbacks["redirect"]>,
  location: string,
): Promise<string | null> {
  const { origin, config } = context;
  const url = canonicalLocation(location, origin);
  if (url === null) return null;
  try {
    const chosen: unknown = await withTimeout(APPLICATION_TIMEOUT_MS, redirect({ url, baseUrl: origin }));
    const target = typeof chosen === "string" ? parseApplicationUrl(chosen, origin, config.redirectSchemes) : null;
    if (target !== null) return target;
    const message = "callbacks.redirect must return a path or a URL of http(s) or `redirectSchemes`.";
    context.logger.error(new InvalidCallbackUrl(message));
  } catch (error) {
    context.logger.error(new InvalidCallbackUrl("callbacks.redirect threw.", { cause: { err: toError(error) } }));
  }
  return null;
}

/**
 * The validated destination after a sign-in or sign-out: from the body, otherwise the query, otherwise the cookie of an earlier step
 * (docs/behaviour.md#redirects).
 */
export async function resolveCallbackUrl(context: ActionContext): Promise<string> {
  const inForm = await carriedCallbackUrl(context);
  return inForm ?? resolveRedirect(context, context.query.get("callbackUrl") || rememberedCallbackUrl(context));
}

/**
 * The validated location in the body of a request; null if there is none. The page that shows the failure of a form gets it, because the
 * application's own sign-in page may follow it.
 */
export async function carriedCallbackUrl(context: ActionContext): Promise<string | null> {
  const named = context.request.body.get("callbackUrl");
  return typeof named === "string" && named !== "" ? resolveRedirect(context, named) : null;
}

/** Stores the validated location for later steps that do not contain it, unless its cookie would be too large. */
export function rememberCallbackUrl(context: FlowContext, url: string): void {
  const value = encodeURIComponent(url);
  if (value.length <= MAX_REMEMBERED_LENGTH) setCookie(context, "callbackUrl", value, undefined);
}

function rememberedCallbackUrl(context: FlowContext): string | null {
  const value = context.received.get(context.cookies.callbackUrl.name);
  try {
    return value === undefined ? null : decodeURIComponent(value);
  } catch (error) {
    // A cookie with a malformed percent-encoding is ignored.
    context.logger.debug("ignored a malformed callback-url cookie", { reason: toError(error).name });
    return null;
  }
}

/**
 * Calls `callbacks.signIn` (docs/behaviour.md#sign-in). `true` continues, a string redirects there, any other result or an
 * exception denies the sign-in.
 *
 * @param known the user from the database, if there is one.
 * @param email set on the first call of the e-mail flow, before the e-mail is sent.
 * @returns null to continue, or where to redirect to, validated like every redirect.
 * @throws AccessDenied.
 */
export async function askSignInCallback(
  context: FlowContext,
  identity: ClaimedIdentity,
  known: AdapterUser | null,
  email?: { readonly verificationRequest: true },
): Promise<string | null> {
  const { account, profile, credentials } = identity;
  const callback = context.config.callbacks.signIn;
  if (callback === undefined) return null;
  let answer: unknown;
  try {
    const user = known ?? identity.user;
    const given = { user, account: ownedAccount(account, known), profile, credentials, email };
    const asking = callback({ ...given, ...contextMember(identity.context) });
    answer = await withTimeout(APPLICATION_TIMEOUT_MS, asking, callbackIsLate);
  } catch (error) {
    // For the log and for a caller of `signIn()`, never for the browser (docs/behaviour.md#sign-in).
    const err = toError(error);
    const cause = { err, callback: "signIn", provider: account.provider };
    throw new AccessDenied(err.message === "" ? "callbacks.signIn threw." : err, { cause });
  }
  if (typeof answer === "string") return redirectInstead(context, account, answer);
  if (answer === true) return null;
  throw new AccessDenied("callbacks.signIn did not return true.", { cause: { provider: account.provider } });
}

/**
 * An account as callbacks and events receive it: with the id of its user once they are stored, whatever the sign-in method.
 *
 * @param user from the database; null before there is one.
 */
export function ownedAccount(account: Account, user: Pick<User, "id"> | null): Account {
  return user?.id === undefined ? account : { ...account, userId: user.id };
}

const callbackIsLate = () => new Error(`callbacks.signIn did not settle within ${APPLICATION_TIMEOUT_MS} ms`);

/** The URL to which `callbacks.signIn` redirects a sign-in. It ends there, so it is logged, as a denied one is. */
async function redirectInstead(context: FlowContext, { provider }: Account, location: string): Promise<string> {
  const url = await acceptRedirect(context, location);
  const rejected =
    url === null
      ? "to a URL that is not allowed, so it leads to the base URL. Return a path, or allow the URL in callbacks.redirect"
      : "instead of continuing it";
  context.logger.warn(`sign-in-redirected: callbacks.signIn redirected a sign-in ${rejected}:`, { provider });
  return url ?? context.origin;
}

/**
 * The application's page that replaces a built-in one; null if there is none, or if it is the URL of the built-in page,
 * which would redirect forever.
 *
 * @param page From the configuration: a path or a URL.
 * @param action The path of the built-in page, after the base URL.
 * @param parameters Everything that the page receives; null: absent. A `callbackUrl` must be validated: the page may link to it.
 */
export function ownPage(
  context: FlowContext,
  page: string | undefined,
  action: string,
  parameters: Readonly<Record<string, string | null>>,
): URL | null {
  if (page === undefined) return null;
  const url = new URL(page, context.origin);
  const address = `${url.origin}${url.pathname}`.replace(/\/$/, "");
  if (address === `${context.baseUrl}/${action}`) return null;
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value);
  return url;
}
