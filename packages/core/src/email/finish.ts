import { isPrefetch, originalRequest } from "../context/request-facts.ts";
import type { Undo } from "../model/changes.ts";
import type { ActionContext } from "../model/context.ts";
import { Verification } from "../model/errors.ts";
import type { EmailIdentity } from "../model/identity.ts";
import type { ResolvedEmailProvider } from "../model/resolved-provider.ts";
import type { AuthResult } from "../model/result.ts";
import type { Finished, LoadedMethod } from "../model/sign-in-method.ts";
import { type EmailLink, parseEmailLink } from "../protocol/email-token.ts";
import { resolveCallbackUrl } from "../sign-in/redirect.ts";
import { askAgain, finishCode } from "./codes.ts";
import { confirmEmail } from "./confirm-email.ts";
import { consumeLink, isGuessable } from "./consume-link.ts";
import { decryptFromLink } from "./link-context.ts";
import { findEmailSignIn, flowOf, hasCodes } from "./requesting-browser.ts";
import { startEmail } from "./start.ts";

/**
 * An e-mail link. It signs in directly in the browser that requested it. Any other GET, such as a mail scanner's or a
 * prefetch, gets a page with one button, and only its POST consumes the link (docs/behaviour.md#e-mail). So does every GET with a token
 * that may be guessed.
 *
 * @throws Verification, AccessDenied, CallbackRouteError, AdapterError.
 */
async function finishEmail(
  context: ActionContext,
  provider: ResolvedEmailProvider,
  undo: Undo[],
): Promise<Finished<EmailIdentity>> {
  const flow = codeFlowOf(context);
  if (flow !== null && hasCodes(provider)) return finishCode(context, provider, flow, undo);
  const link = emailLinkOf(context);
  if (link === null) throw new Verification("The link lacks required parameters.");
  const { request } = context;
  const isGet = request.method !== "POST";
  // With a token that may be guessed, the answer to a GET must not depend on the token: only POST counts attempts.
  const isPage = isGet && (isPrefetch(request) || isGuessable(provider, link.token));
  const mark = isPage ? null : await findEmailSignIn(context, provider, link.token);
  if (isPage || (isGet && mark === null)) {
    return { result: await confirmEmail(context, provider, link, 200) };
  }
  const callbackUrl = await resolveCallbackUrl(context);
  const { token, email } = link;
  const own = await decryptFromLink(context, provider, link);
  const opened = { token, email, own, request: originalRequest(request) };
  const { identity, attempt } = await consumeLink(context, provider, opened, undo);
  return {
    identity: { ...identity, context: own, startedFor: mark?.startedFor },
    callbackUrl,
    attempt,
  };
}

/** The public id of the sign-in that a link or the form with a code belongs to; null if the request has neither. */
async function emailFlowOf(context: ActionContext, provider: ResolvedEmailProvider): Promise<string | null> {
  const link = emailLinkOf(context);
  const flow = hasCodes(provider) ? codeFlowOf(context) : null;
  return flow ?? (link === null ? null : flowOf(context, provider, link.token));
}

/** The page that shows the button again for the link in a request; null if the request contains none. */
async function confirmLink(
  context: ActionContext,
  provider: ResolvedEmailProvider,
  status: 200 | 403,
): Promise<AuthResult | null> {
  const flow = codeFlowOf(context);
  if (flow !== null && hasCodes(provider)) return askAgain(context, provider, flow);
  const link = emailLinkOf(context);
  return link === null ? null : confirmEmail(context, provider, link, status);
}

/** The sign-in of a form with a code; null for a link. */
function codeFlowOf({ request }: ActionContext): string | null {
  const flow = request.method === "POST" ? request.body.get("flow") : null;
  return typeof flow === "string" && flow !== "" ? flow : null;
}

function emailLinkOf({ request, query }: ActionContext): EmailLink | null {
  return parseEmailLink((name) => (request.method === "POST" ? request.body.get(name) : query.get(name)));
}

/** What signs in with an e-mail link or code. */
export const emailMethod: LoadedMethod<ResolvedEmailProvider> = {
  start: startEmail,
  method: () => null,
  secret: emailFlowOf,
  finish: finishEmail,
  proof: () => ({ method: "email" }),
  // Onward if it has signed in this browser, otherwise the same button, with a new token.
  finishStale: (context, provider) => confirmLink(context, provider, 403),
};
