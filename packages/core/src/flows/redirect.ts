import type { FlowContext } from "../model/context.ts";
import { InvalidCallbackUrl } from "../model/errors.ts";
import { toError } from "../model/to-error.ts";
import { parseApplicationUrl, parseSameOriginUrl } from "../protocol/redirect-target.ts";

/** Longer locations are not repeated in a query: servers refuse long URLs. */
const MAX_CARRIED_LENGTH = 2048;

/**
 * Decides where a browser goes: through `callbacks.redirect`, by default only to the same origin (spec 6, contract 5). Never
 * throws: what is refused, and a callback that throws, leads to the base URL.
 *
 * @param location from the client or from a callback; untrusted. Absent or empty: the base URL.
 */
export async function resolveRedirect(context: FlowContext, location: string | null | undefined): Promise<string> {
  const { origin, config } = context;
  if (location === null || location === undefined || location === "") return origin;
  const custom = config.callbacks.redirect;
  if (custom === undefined) return parseSameOriginUrl(location, origin) ?? origin;
  try {
    const chosen: unknown = await custom({ url: location, baseUrl: origin });
    const target = typeof chosen === "string" ? parseApplicationUrl(chosen, origin) : null;
    if (target !== null) return target;
    context.logger.error(new InvalidCallbackUrl("callbacks.redirect returned neither a path nor an http(s) URL."));
  } catch (error) {
    context.logger.error(new InvalidCallbackUrl("callbacks.redirect threw.", { cause: { err: toError(error) } }));
  }
  return origin;
}

/** The location that a request names: in its body, else its query, else the cookie of an earlier step (contract 5). */
export function requestedCallbackUrl(
  context: FlowContext,
  body: ReadonlyMap<string, unknown>,
  query: URLSearchParams,
): string | null {
  const inBody = body.get("callbackUrl");
  if (typeof inBody === "string" && inBody !== "") return inBody;
  return query.get("callbackUrl") || rememberedCallbackUrl(context);
}

/**
 * The location in the body of a form that failed, checked, for the page that the failure leads to: the application's own
 * sign-in page may well follow it. Null when there is none, or it is too long for a URL.
 */
export async function carriedCallbackUrl(
  context: FlowContext,
  body: ReadonlyMap<string, unknown>,
): Promise<string | null> {
  const named = body.get("callbackUrl");
  if (typeof named !== "string" || named === "" || named.length >= MAX_CARRIED_LENGTH) return null;
  return resolveRedirect(context, named);
}

/** Keeps the checked location for the steps that do not carry it themselves. */
export function rememberCallbackUrl(context: FlowContext, url: string): void {
  const { name, options } = context.cookies.callbackUrl;
  context.jar.set({ name, value: encodeURIComponent(url), options });
}

/** Forgets the location once it has been used. */
export function forgetCallbackUrl(context: FlowContext): void {
  const { name, options } = context.cookies.callbackUrl;
  if (context.received.has(name)) context.jar.set({ name, value: "", options: { ...options, maxAge: 0 } });
}

function rememberedCallbackUrl(context: FlowContext): string | null {
  const value = context.received.get(context.cookies.callbackUrl.name);
  try {
    return value === undefined ? null : decodeURIComponent(value);
  } catch (error) {
    // A cookie with a broken percent-encoding is no cookie (safety H033).
    context.logger.debug("callback-url cookie ignored", { reason: toError(error).name });
    return null;
  }
}
