import { originalRequest } from "../context/original-request.ts";
import { isAttemptAllowed } from "../flows/allow-attempt.ts";
import { completeSignIn } from "../flows/complete-sign-in.ts";
import { finishCredentials } from "../flows/credentials/finish.ts";
import { csrfTokenForForm } from "../flows/csrf.ts";
import { consumeLink, restoreLink } from "../flows/email/finish.ts";
import { forgetEmailSignIn, isRequestingBrowser } from "../flows/email/requesting-browser.ts";
import { finishOAuth } from "../flows/oauth/finish.ts";
import { forwardByProxy, usesProxy } from "../flows/oauth/redirect-proxy.ts";
import { isPrefetch } from "../flows/prefetch.ts";
import { requestedCallbackUrl, resolveRedirect } from "../flows/redirect.ts";
import { providerOf, requireProvider } from "../flows/require-provider.ts";
import { finishWebAuthn } from "../flows/webauthn/finish.ts";
import type { ActionContext } from "../model/context.ts";
import { AccessDenied, AccountNotLinked, Verification } from "../model/errors.ts";
import type {
  ResolvedCredentialsProvider,
  ResolvedEmailProvider,
  ResolvedOAuthProvider,
  ResolvedWebAuthnProvider,
} from "../model/resolved-config.ts";
import type { AuthResult } from "../model/result.ts";
import { parseEmailLink } from "../protocol/email-token.ts";
import { strategyOf } from "../session/select-strategy.ts";

/** GET and POST `callback/{id}`: the way back from the provider, or the credentials form (docs/behaviour.md#actions). */
export async function callback(context: ActionContext): Promise<AuthResult> {
  const provider = requireProvider(context);
  switch (provider.kind) {
    case "oauth":
      return oauthCallback(context, provider);
    case "credentials":
      return credentialsCallback(context, provider);
    case "email":
      return emailCallback(context, provider);
    case "webauthn":
      return webauthnCallback(context, provider);
  }
}

async function oauthCallback(context: ActionContext, provider: ResolvedOAuthProvider): Promise<AuthResult> {
  const isPost = context.request.method === "POST";
  // The answer comes by the mode that was asked for, and by no other (OAuth 2.0 Form Post Response Mode §2).
  const byPost = provider.formPost && !usesProxy(context, provider);
  if (isPost !== byPost) return methodNotAllowed(byPost ? "POST" : "GET");
  // The code and the pending sign-in can be used once: they are for the visit, not for a look ahead at it.
  // No 2xx, or a browser would show this answer when the visit comes (RFC 8470 §5.2: Too Early).
  if (isPrefetch(context.request)) return { kind: "empty", status: 425 };
  const params = isPost ? formParams(context.request) : context.query;
  const elsewhere = await forwardByProxy(context, provider, params);
  if (elsewhere !== null) return { kind: "redirect", url: elsewhere };
  const { identity, callbackUrl } = await finishOAuth(context, provider, params);
  return { kind: "redirect", url: await completeSignIn(context, strategyOf(context.config), identity, callbackUrl) };
}

async function credentialsCallback(context: ActionContext, provider: ResolvedCredentialsProvider): Promise<AuthResult> {
  const { request } = context;
  if (request.method !== "POST") return methodNotAllowed("POST");
  const callbackUrl = await callbackUrlOf(context);
  const identity = await finishCredentials(context, provider, request.body, originalRequest(request));
  return { kind: "redirect", url: await completeSignIn(context, strategyOf(context.config), identity, callbackUrl) };
}

async function webauthnCallback(context: ActionContext, provider: ResolvedWebAuthnProvider): Promise<AuthResult> {
  const { body, headers, method } = context.request;
  if (method !== "POST") return methodNotAllowed("POST");
  const callbackUrl = await callbackUrlOf(context);
  const answer = { action: body.get("action"), data: body.get("data"), headers };
  const attempt = { provider: provider.id, type: "webauthn", request: originalRequest(context.request) } as const;
  if (!(await isAttemptAllowed(context, attempt)))
    throw new AccessDenied("callbacks.allowAttempt did not return true.");
  const identity = await finishWebAuthn(context, provider, answer);
  return { kind: "redirect", url: await completeSignIn(context, strategyOf(context.config), identity, callbackUrl) };
}

/**
 * A link from an e-mail. It signs in at once in the browser that asked for it; for any other GET, such as a mail scanner's or
 * a prefetch, there is a page with one button, and only its POST takes the link (docs/behaviour.md#e-mail).
 */
async function emailCallback(context: ActionContext, provider: ResolvedEmailProvider): Promise<AuthResult> {
  const link = emailLinkOf(context);
  if (link === null) throw new Verification("The link is incomplete.");
  const isPost = context.request.method === "POST";
  if (!isPost && (isPrefetch(context.request) || !(await isRequestingBrowser(context, provider, link.token)))) {
    return confirmPage(context, provider, 200);
  }
  const callbackUrl = await callbackUrlOf(context);
  const taken = await consumeLink(context, provider, { ...link, request: originalRequest(context.request) });
  try {
    const url = await completeSignIn(context, strategyOf(context.config), taken.identity, callbackUrl);
    await forgetEmailSignIn(context, link.token);
    return { kind: "redirect", url };
  } catch (error) {
    const isRefusal = error instanceof AccessDenied || error instanceof AccountNotLinked;
    if (!isRefusal) await restoreLink(context, taken.record);
    throw error;
  }
}

/** What a confirmation gets that came too late: the same button, with a fresh token. Other callbacks have nothing to repeat. */
export async function staleCallback(context: ActionContext): Promise<AuthResult | null> {
  const provider = providerOf(context);
  return provider?.kind === "email" && emailLinkOf(context) !== null ? confirmPage(context, provider, 403) : null;
}

async function confirmPage(
  context: ActionContext,
  provider: ResolvedEmailProvider,
  status: 200 | 403,
): Promise<AuthResult> {
  const link = emailLinkOf(context) ?? { token: "", email: "" };
  const csrfToken = await csrfTokenForForm(context);
  const fields = { ...link, callbackUrl: await callbackUrlOf(context) };
  const action = `${context.baseUrl}/callback/${provider.id}`;
  return { kind: "page", status, page: { kind: "confirm-email", action, csrfToken, fields } };
}

function emailLinkOf({ request, query }: ActionContext): { readonly token: string; readonly email: string } | null {
  return parseEmailLink((name) => (request.method === "POST" ? request.body.get(name) : query.get(name)));
}

function callbackUrlOf(context: ActionContext): Promise<string> {
  return resolveRedirect(context, requestedCallbackUrl(context, context.request.body, context.query));
}

/** Read from the bytes, so that a repeated parameter is seen as one. */
function formParams(request: ActionContext["request"]): URLSearchParams {
  const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
  return new URLSearchParams(isForm ? new TextDecoder().decode(request.rawBody) : "");
}

function methodNotAllowed(allow: string): AuthResult {
  return { kind: "json", status: 405, body: { message: `Use ${allow}.` }, headers: { allow } };
}
