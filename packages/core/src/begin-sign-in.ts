import { completeSignIn } from "./flows/complete-sign-in.ts";
import { finishCredentials } from "./flows/credentials.ts";
import { startEmail, verifyRequestUrl } from "./flows/email.ts";
import { startOAuth } from "./flows/oauth-start.ts";
import { rememberCallbackUrl, resolveRedirect } from "./flows/redirect.ts";
import type { FlowContext } from "./model/context.ts";
import type { ResolvedCredentialsProvider } from "./model/resolved-config.ts";
import { strategyOf } from "./session/select-strategy.ts";

/** Parameters that go to the provider's authorization endpoint (spec 4.2). */
export type AuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams;

/**
 * Begins a sign-in from server code; with a credentials provider it is finished at once.
 *
 * @param providerId absent or unknown: the URL is the sign-in page.
 * @param fields of a credentials form; `redirectTo` is where to go afterwards.
 * @returns the URL to send the browser to.
 * @throws AuthError.
 */
export async function beginSignIn(
  context: FlowContext,
  providerId: string | undefined,
  fields: ReadonlyMap<string, unknown>,
  params: AuthorizationParams,
): Promise<string> {
  const callbackUrl = await resolveRedirect(context, redirectTo(fields));
  const provider = context.config.providers.get(providerId ?? "");
  if (provider?.kind === "credentials") return signInWithCredentials(context, provider, fields, callbackUrl);
  rememberCallbackUrl(context, callbackUrl);
  if (provider?.kind === "email") {
    const start = { email: fields.get("email"), callbackUrl, request: formRequest(context, provider.id, fields) };
    return (await startEmail(context, provider, start)) ?? verifyRequestUrl(context, provider);
  }
  if (provider !== undefined) {
    return startOAuth(context, provider, { callbackUrl, authorizationParams: new URLSearchParams(params) });
  }
  const page = new URL(context.config.pages.signIn ?? `${context.baseUrl}/signin`, context.origin);
  page.searchParams.set("callbackUrl", callbackUrl);
  return page.href;
}

/** What application code that is promised a request gets when there was none of the form. */
function formRequest(context: FlowContext, providerId: string, fields: ReadonlyMap<string, unknown>): Request {
  const strings = [...fields].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return new Request(`${context.baseUrl}/callback/${providerId}`, {
    method: "POST",
    body: new URLSearchParams(strings),
  });
}

async function signInWithCredentials(
  context: FlowContext,
  provider: ResolvedCredentialsProvider,
  fields: ReadonlyMap<string, unknown>,
  callbackUrl: string,
): Promise<string> {
  const request = formRequest(context, provider.id, fields);
  const identity = await finishCredentials(context, provider, fields, request);
  return completeSignIn(context, strategyOf(context.config), identity, callbackUrl);
}

function redirectTo(fields: ReadonlyMap<string, unknown>): string | null {
  const target = fields.get("redirectTo") ?? fields.get("callbackUrl");
  return typeof target === "string" ? target : null;
}
