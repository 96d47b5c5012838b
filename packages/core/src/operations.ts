/**
 * The programmatic operations (spec 4.2) for whoever binds the engine to a framework: data in, data out. What they return as
 * `cookies` has to be set on the answer. Reading a session fabricates no Request and validates nothing again.
 */

import type { AuthorizationParams } from "./begin-sign-in.ts";
import { resolveRedirect } from "./flows/redirect.ts";
import { finishSignOut } from "./flows/sign-out.ts";
import type { FlowContext } from "./model/context.ts";
import type { AuthError } from "./model/errors.ts";
import type { Account, Session, User } from "./model/records.ts";
import type { ResolvedConfig } from "./model/resolved-config.ts";
import { type OperationRequest, openContext, type WithCookies } from "./read-session.ts";
import { logError, toAuthError } from "./response/error-response.ts";
import { strategyOf } from "./session/select-strategy.ts";

/**
 * Begins a sign-in; with a credentials provider it is finished at once.
 *
 * @param providerId absent or unknown: the URL is the sign-in page.
 * @param fields of a credentials form; `redirectTo` is where to go afterwards.
 * @returns the URL to send the browser to.
 * @throws AuthError.
 */
export async function startSignIn(
  config: ResolvedConfig,
  request: OperationRequest,
  providerId: string | undefined,
  fields: ReadonlyMap<string, unknown>,
  params: AuthorizationParams = {},
): Promise<WithCookies & { readonly url: string }> {
  return withContext(config, request, async (context) => {
    // Loaded with the first sign-in, like the actions that do the same (decisions/012).
    const { beginSignIn } = await import("./begin-sign-in.ts");
    return beginSignIn(context, request.headers, providerId, fields, params);
  });
}

/**
 * Ends the session.
 *
 * @param redirectTo where to go afterwards.
 * @returns the URL to send the browser to.
 * @throws SignOutError when the database could not delete the session.
 */
export function signOut(
  config: ResolvedConfig,
  request: OperationRequest,
  redirectTo: string | undefined,
): Promise<WithCookies & { readonly url: string }> {
  return withContext(config, request, async (context) => {
    const url = await resolveRedirect(context, redirectTo);
    await finishSignOut(context, strategyOf(config));
    return url;
  });
}

/**
 * Gives data to the callbacks with trigger `update` and returns the session after it; null when there is none.
 *
 * @throws SessionUnavailable.
 */
export async function updateSession(
  config: ResolvedConfig,
  request: OperationRequest,
  data: unknown,
): Promise<WithCookies & { readonly session: Session | null }> {
  const context = openContext(config, request);
  try {
    const session = await strategyOf(config).update(context, data);
    return { session, cookies: context.jar.list() };
  } catch (thrown) {
    throw logged(context, thrown);
  }
}

/**
 * Makes a session for a user without a ceremony, as after a sign-in with the given account: for tests of an application.
 *
 * @throws what issuing throws: JWTSessionError, AccessDenied (`callbacks.jwt` returned null).
 */
export async function issueSession(
  config: ResolvedConfig,
  request: OperationRequest,
  signedIn: { readonly user: User; readonly account: Account },
): Promise<WithCookies> {
  const context = openContext(config, request);
  await strategyOf(config).issue(context, { ...signedIn, profile: undefined, isNewUser: false });
  return { cookies: context.jar.list() };
}

async function withContext(
  config: ResolvedConfig,
  request: OperationRequest,
  run: (context: FlowContext) => Promise<string>,
): Promise<WithCookies & { readonly url: string }> {
  const context = openContext(config, request);
  try {
    const url = await run(context);
    return { url, cookies: context.jar.list() };
  } catch (thrown) {
    throw logged(context, thrown);
  }
}

function logged(context: FlowContext, thrown: unknown): AuthError {
  const error = toAuthError(thrown);
  logError(error, context.logger);
  return error;
}

export { respond } from "./auth.ts";
export { type Authorization, authorizeRequest, denyUnavailable } from "./authorize.ts";
export type { AuthorizationParams } from "./begin-sign-in.ts";
export type { ResolvedConfig } from "./model/resolved-config.ts";
export type { Cookie } from "./model/result.ts";
export { type OperationRequest, readSession, type WithCookies } from "./read-session.ts";
export { addNodeCookies, keepPrivate, withCookies } from "./response/add-cookies.ts";
export { serializeCookie } from "./response/to-response.ts";
export { type ConfigResolver, type ConfigSource, createConfigResolver } from "./runtime-config.ts";
