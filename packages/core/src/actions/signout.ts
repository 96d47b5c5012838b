import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { csrfTokenForForm, isOfEndedSession } from "../sign-in/csrf.ts";
import { ownPage, resolveCallbackUrl, resolveRedirect } from "../sign-in/redirect.ts";
import { finishSignOut } from "../sign-in/sign-out.ts";

/**
 * GET `signout`: the built-in page with a POST form, or a redirect to the application's own. It never signs out by itself.
 */
export async function signoutPage(context: ActionContext): Promise<AuthResult> {
  const named = context.query.get("callbackUrl");
  const callbackUrl = named === null ? null : await resolveRedirect(context, named);
  const url = ownPage(context, context.config.pages.signOut, "signout", { callbackUrl });
  return url === null ? confirmationPage(context, 200) : { kind: "redirect", url: url.href };
}

/**
 * The response to a sign-out form that came too late. If its session has already ended, the sign-out succeeds; otherwise
 * the form is shown again, with a new token.
 */
export async function staleSignout(context: ActionContext): Promise<AuthResult> {
  if (await isOfEndedSession(context, context.request.body.get("csrfToken"))) return signout(context);
  return confirmationPage(context, 403);
}

/** POST `signout`: ends the session and redirects to the callback URL. */
export async function signout(context: ActionContext): Promise<AuthResult> {
  const callbackUrl = await resolveCallbackUrl(context);
  const wish = context.request.body.get("federated");
  const federated = wish === undefined ? undefined : wish === true || wish === "true";
  const elsewhere = await finishSignOut(context, { callbackUrl, federated });
  return { kind: "redirect", url: elsewhere ?? callbackUrl };
}

async function confirmationPage(context: ActionContext, status: 200 | 403): Promise<AuthResult> {
  const action = `${context.baseUrl}/signout`;
  const csrfToken = await csrfTokenForForm(context);
  const callbackUrl = await resolveCallbackUrl(context);
  return { kind: "page", status, page: { kind: "signout", action, csrfToken, callbackUrl, stale: status === 403 } };
}
