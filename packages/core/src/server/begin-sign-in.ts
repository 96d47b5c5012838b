import { methodOf } from "../context/create-context.ts";
import type { SignInContext } from "../model/callbacks.ts";
import type { FlowContext } from "../model/context.ts";
import { CallbackRouteError } from "../model/errors.ts";
import type { LoadedMethod, RequestedParams, SignInStart } from "../model/sign-in-method.ts";
import { copyContext } from "../protocol/sign-in-context.ts";
import { rememberCallbackUrl } from "../sign-in/redirect.ts";
import { runSignIn } from "../sign-in/run-sign-in.ts";
import { destinationIn, findDestination } from "./destination.ts";

/** Parameters for the provider's authorization endpoint (docs/behaviour.md#sign-in). */
export type AuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams;

/**
 * Starts a sign-in from server code; with a credentials provider it is completed.
 *
 * @param caller headers of the request that the server code runs for.
 * @param providerId absent, unknown or of a passkey provider: the URL is the sign-in page.
 * @param fields fields of a form, which a visitor may have chosen; `redirectTo` is the destination afterwards.
 * @param given the application's own data.
 * @param by who chose the parameters.
 * @returns the URL to redirect the browser to.
 * @throws AuthError; CallbackRouteError for a `context` that cannot be carried.
 */
export async function beginSignIn(
  context: FlowContext,
  caller: Headers,
  providerId: string | undefined,
  fields: ReadonlyMap<string, unknown>,
  params: AuthorizationParams,
  given: SignInContext | undefined,
  by: RequestedParams["by"],
): Promise<string> {
  const own = copyContext(given);
  const callbackUrl = (await findDestination(context, destinationIn(fields))) ?? context.origin;
  const provider = context.config.providers.get(providerId ?? "");
  const loaded = provider && (await methodOf(context.config, provider).load());
  const started: SignInStart = {
    callbackUrl,
    fields,
    context: own,
    requested: { by, params: toSearchParams(params) },
    request: () => formRequest(context, caller, provider?.id ?? "", fields),
  };
  const { start, prove } = loaded ?? {};
  if (provider !== undefined && prove !== undefined)
    return (await runSignIn(context, () => prove(context, provider, started))).url;
  requireStart(loaded, own);
  if (provider === undefined && providerId) warnUnknown(context, providerId);
  rememberCallbackUrl(context, callbackUrl);
  const url = provider === undefined ? undefined : await start?.(context, provider, started);
  if (url !== undefined) return url;
  const page = new URL(context.config.pages.signIn ?? `${context.baseUrl}/signin`, context.origin);
  page.searchParams.set("callbackUrl", callbackUrl);
  return page.href;
}

/** The request passed to application code when the form was submitted by server code. */
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

/** A method that starts in a page's script cannot carry the context. */
function requireStart(loaded: LoadedMethod | undefined, own: SignInContext | undefined): void {
  if (own === undefined || loaded?.start !== undefined) return;
  throw new CallbackRouteError(
    "signIn(): `context` requires the id of a provider whose sign-in starts here: an OAuth, OpenID Connect, e-mail or credentials provider.",
  );
}

/** Only during development: in production the id may be that of a form, and every visitor could write to the log. */
function warnUnknown({ config, logger }: FlowContext, id: string): void {
  const ids = [...config.providers.keys()].join(", ");
  if (!config.isProduction)
    logger.warn(
      `unknown-provider: signIn(${JSON.stringify(id)}) shows the sign-in page. The ids of the providers are: ${ids}.`,
    );
}

/** A parameter that is undefined or null is not sent, as in the configuration. */
function toSearchParams(params: AuthorizationParams): URLSearchParams {
  const given: object = Object(params);
  const isList = Symbol.iterator in given;
  return new URLSearchParams(isList ? params : Object.entries(given).filter(([, value]) => value != null));
}
