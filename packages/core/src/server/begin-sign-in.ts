import { completeSignIn } from "../flows/complete-sign-in.ts";
import { proveCredentials } from "../flows/credentials/finish.ts";
import { rememberCallbackUrl, resolveRedirect } from "../flows/redirect.ts";
import { wayOf } from "../flows/ways.ts";
import type { FlowContext } from "../model/context.ts";
import type { ResolvedCredentialsProvider } from "../model/resolved-config.ts";

/** Parameters for the provider's authorization endpoint (docs/behaviour.md#sign-in). */
export type AuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams;

/**
 * Starts a sign-in from server code; with a credentials provider it is completed.
 *
 * @param caller headers of the request that the server code runs for.
 * @param providerId absent, unknown or of a passkey provider: the URL is the sign-in page.
 * @param fields of a credentials form; `redirectTo` is the destination afterwards.
 * @returns the URL to redirect the browser to.
 * @throws AuthError.
 */
export async function beginSignIn(
  context: FlowContext,
  caller: Headers,
  providerId: string | undefined,
  fields: ReadonlyMap<string, unknown>,
  params: AuthorizationParams,
): Promise<string> {
  const callbackUrl = await resolveRedirect(context, redirectTo(fields) ?? currentPage(context, caller));
  const provider = context.config.providers.get(providerId ?? "");
  if (provider?.kind === "credentials") return signInWithCredentials(context, caller, provider, fields, callbackUrl);
  rememberCallbackUrl(context, callbackUrl);
  const url =
    provider === undefined
      ? null
      : await wayOf(provider).start(context, provider, {
          callbackUrl,
          fields,
          requested: { by: "server", params: new URLSearchParams(params) },
          request: () => formRequest(context, caller, provider.id, fields),
        });
  if (url !== null) return url;
  const page = new URL(context.config.pages.signIn ?? `${context.baseUrl}/signin`, context.origin);
  page.searchParams.set("callbackUrl", callbackUrl);
  return page.href;
}

/**
 * The user's current page: the page that sent the form (docs/behaviour.md#sign-in), unless it is one of the library's own
 * pages.
 */
function currentPage(context: FlowContext, caller: Headers): string | null {
  const referer = caller.get("referer");
  return referer?.startsWith(`${context.baseUrl}/`) ? null : referer;
}

/** The request that application code receives if there was none for the form. */
function formRequest(
  context: FlowContext,
  caller: Headers,
  providerId: string,
  fields: ReadonlyMap<string, unknown>,
): Request {
  const headers = new Headers(caller);
  // These headers describe a different body.
  for (const name of ["content-type", "content-length", "transfer-encoding"]) headers.delete(name);
  const strings = [...fields].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return new Request(`${context.baseUrl}/callback/${providerId}`, {
    method: "POST",
    headers,
    body: new URLSearchParams(strings),
  });
}

async function signInWithCredentials(
  context: FlowContext,
  caller: Headers,
  provider: ResolvedCredentialsProvider,
  fields: ReadonlyMap<string, unknown>,
  callbackUrl: string,
): Promise<string> {
  const request = formRequest(context, caller, provider.id, fields);
  const identity = await proveCredentials(context, provider, fields, request);
  return (await completeSignIn(context, identity, callbackUrl)).url;
}

function redirectTo(fields: ReadonlyMap<string, unknown>): string | null {
  const target = fields.get("redirectTo") ?? fields.get("callbackUrl");
  return typeof target === "string" ? target : null;
}
