import { decryptCookie, encryptCookie } from "../crypto/sealed-claims.ts";
import type { ActionContext, FlowContext } from "../model/context.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import type { Seconds } from "../model/units.ts";
import { receivedSessionTokens } from "../session/session-cookie.ts";
import { findPendingSignIn } from "./pending-sign-in.ts";

/**
 * The parameters of a provider's answer: in the URL or, with `response_mode=form_post`, in a form. Browsers send such a form from the
 * provider's site, so without cookies that are `SameSite=Lax`: a session, another sign-in that waits, a known device. A browser that had any
 * when it started is redirected to the same callback with the form, encrypted, in the URL, and sends them (RFC 6265bis §5.6.7.1: a safe
 * method).
 */

/** Query parameter of the redirect. */
const POSTED = "posted";

/** A redirect takes no longer. */
const LIFETIME: Seconds = 60;

/** A longer form would not fit into a URL; servers commonly reject request lines over 8 kB. */
const MAX_FORM_LENGTH = 4096;

/** Whether a request repeats a provider's form as a GET. In the answer of any other provider, an unknown parameter is ignored (RFC 6749 §4.1.2). */
export const isRepeated = ({ query }: ActionContext, { formPost }: ResolvedOAuthProvider): boolean =>
  formPost && query.has(POSTED);

/** The parameters of the provider's answer; none if a repeated form was not encrypted here, or is too old. */
export async function readAnswer(context: ActionContext, provider: ResolvedOAuthProvider): Promise<URLSearchParams> {
  const { request, query } = context;
  if (request.method === "POST") return new URLSearchParams(formOf(context));
  if (!isRepeated(context, provider)) return query;
  const sealed = await decryptCookie(query.get(POSTED) ?? "", bindingOf(context, provider));
  return new URLSearchParams(sealed?.form);
}

/** The cookies of a sign-in itself. */
const OF_THE_FLOW = ["csrfToken", "callbackUrl", "state", "webauthnChallenge"] as const;

/** Whether a browser has cookies besides those of a sign-in: the application's, for its callbacks, count too. */
export const hasOtherCookies = ({ received, cookies }: FlowContext): boolean =>
  [...received.keys()].some((sent) => !OF_THE_FLOW.some((name) => sent.startsWith(cookies[name].name)));

/**
 * Where the browser sends a provider's form again, with its cookies; null if it had none, or sent its session already.
 *
 * @param state of the answer.
 */
export async function urlToRepeat(
  context: ActionContext,
  provider: ResolvedOAuthProvider,
  state: string,
): Promise<string | null> {
  const form = formOf(context);
  const isOfOtherSite = context.request.method === "POST" && receivedSessionTokens(context).length === 0;
  if (!isOfOtherSite || form.length > MAX_FORM_LENGTH) return null;
  const pending = await findPendingSignIn(context, provider, state);
  if (pending?.hasCookies !== true) return null;
  const url = new URL(`${context.baseUrl}/callback/${provider.id}`);
  url.searchParams.set(POSTED, await encryptCookie({ form }, bindingOf(context, provider), LIFETIME));
  return url.href;
}

/** Read from the bytes, so that repeated parameters are detected. */
function formOf({ request: { headers, rawBody } }: ActionContext): string {
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
  return isForm ? new TextDecoder().decode(rawBody) : "";
}

function bindingOf({ config: { secrets } }: ActionContext, { id }: ResolvedOAuthProvider) {
  return { secrets, purpose: "provider-form", salt: "provider-form", provider: id } as const;
}
