import { completeSignIn } from "../flows/complete-sign-in.ts";
import { finishCredentials } from "../flows/credentials.ts";
import { finishOAuth } from "../flows/oauth-finish.ts";
import { forwardByProxy, usesProxy } from "../flows/oauth-proxy.ts";
import { requestedCallbackUrl, resolveRedirect } from "../flows/redirect.ts";
import { requireProvider } from "../flows/require-provider.ts";
import type { ActionContext } from "../model/context.ts";
import type { ResolvedCredentialsProvider, ResolvedOAuthProvider } from "../model/resolved-config.ts";
import type { AuthResult } from "../model/result.ts";
import { strategyOf } from "../session/select-strategy.ts";

/** GET and POST `callback/{id}`: the way back from the provider, or the credentials form (contract 3). */
export async function callback(context: ActionContext): Promise<AuthResult> {
  const provider = requireProvider(context);
  switch (provider.kind) {
    case "oauth":
      return oauthCallback(context, provider);
    case "credentials":
      return credentialsCallback(context, provider);
  }
}

async function oauthCallback(context: ActionContext, provider: ResolvedOAuthProvider): Promise<AuthResult> {
  const isPost = context.request.method === "POST";
  // The answer comes by the mode that was asked for, and by no other (OAuth 2.0 Form Post Response Mode §2; safety H098).
  const byPost = provider.formPost && !usesProxy(context, provider);
  if (isPost !== byPost) return methodNotAllowed(byPost ? "POST" : "GET");
  const params = isPost ? formParams(context.request) : context.query;
  const elsewhere = await forwardByProxy(context, provider, params);
  if (elsewhere !== null) return { kind: "redirect", url: elsewhere };
  const { identity, callbackUrl } = await finishOAuth(context, provider, params);
  return { kind: "redirect", url: await completeSignIn(context, strategyOf(context.config), identity, callbackUrl) };
}

async function credentialsCallback(context: ActionContext, provider: ResolvedCredentialsProvider): Promise<AuthResult> {
  const { request } = context;
  if (request.method !== "POST") return methodNotAllowed("POST");
  const callbackUrl = await resolveRedirect(context, requestedCallbackUrl(context, request.body, context.query));
  const { url, headers, rawBody } = request;
  const faithful = new Request(url, { method: "POST", headers, ...(rawBody === undefined ? {} : { body: rawBody }) });
  const identity = await finishCredentials(context, provider, request.body, faithful);
  return { kind: "redirect", url: await completeSignIn(context, strategyOf(context.config), identity, callbackUrl) };
}

/** Read from the bytes, so that a repeated parameter is seen as one (safety H088). */
function formParams(request: ActionContext["request"]): URLSearchParams {
  const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
  return new URLSearchParams(isForm ? new TextDecoder().decode(request.rawBody) : "");
}

function methodNotAllowed(allow: string): AuthResult {
  return { kind: "json", status: 405, body: { message: `Use ${allow}.` }, headers: { allow } };
}
