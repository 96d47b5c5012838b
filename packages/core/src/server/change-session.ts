import { contextOfRequest } from "../context/create-context.ts";
import type { SignInContext } from "../model/callbacks.ts";
import type { FlowContext, StepFacts } from "../model/context.ts";
import type { Account, Session, User } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { RequestedParams } from "../model/sign-in-method.ts";
import { strategyOf } from "../session/select-strategy.ts";
import type { AuthorizationParams } from "./begin-sign-in.ts";
import { logThrown, type OperationRequest, type WithCookies } from "./read-session.ts";

/** The operations of server code that change a session: each opens a context, runs, and logs its error. */

/**
 * Starts a sign-in; with a credentials provider it is completed.
 *
 * @param providerId absent or unknown: the URL is the sign-in page.
 * @param fields the fields of a credentials form; `redirectTo` is the destination afterwards.
 * @param context the application's own data for the callbacks.
 * @param by who chose the parameters: `visitor` if they were read from a form, so that they cannot replace those of the
 *   configuration (docs/behaviour.md#oauth).
 * @returns the URL to redirect the browser to.
 * @throws AuthError.
 */
export async function startSignIn(
  config: ResolvedConfig,
  request: OperationRequest,
  providerId: string | undefined,
  fields: ReadonlyMap<string, unknown>,
  params: AuthorizationParams = {},
  context?: SignInContext,
  by: RequestedParams["by"] = "server",
): Promise<WithCookies & { readonly url: string }> {
  const facts = { action: "signIn()", provider: config.providers.get(providerId ?? "")?.id };
  return runOperation(config, request, facts, async (flow) => {
    // Loaded with the first sign-in, like the corresponding actions (decisions/012).
    const { beginSignIn } = await import("./begin-sign-in.ts");
    return { url: await beginSignIn(flow, request.headers, providerId, fields, params, context, by) };
  });
}

/** How to sign out. */
export interface SignOutRequest {
  /** The destination afterwards; may be untrusted. */
  readonly redirectTo?: string | undefined;
  /** Whether to also end the session at its provider; undefined: the configuration of `logout()`. */
  readonly federated?: boolean | undefined;
}

/**
 * Ends the session.
 *
 * @returns the URL to redirect the browser to.
 * @throws SignOutError if the session could not be deleted from the database.
 */
export function signOut(
  config: ResolvedConfig,
  request: OperationRequest,
  options?: SignOutRequest | null,
): Promise<WithCookies & { readonly url: string }> {
  return runOperation(config, request, { action: "signOut()" }, async (context) => {
    const [{ findDestination }, { finishSignOut }] = await Promise.all([
      import("./destination.ts"),
      import("../sign-in/sign-out.ts"),
    ]);
    const url = (await findDestination(context, options?.redirectTo)) ?? context.origin;
    const { federated } = options ?? {};
    return { url: (await finishSignOut(context, { callbackUrl: url, federated })) ?? url };
  });
}

/**
 * Calls the callbacks with trigger `update` and the given data. Returns the updated session; null if there is none.
 *
 * @throws SessionUnavailable.
 */
export async function updateSession(
  config: ResolvedConfig,
  request: OperationRequest,
  data: unknown,
): Promise<WithCookies & { readonly session: Session | null }> {
  return runOperation(config, request, { action: "unstable_update()" }, async (context) => ({
    session: await strategyOf(config).update(context, data),
  }));
}

/** Runs an operation; an error is logged and rethrown as an AuthError. */
async function runOperation<T extends object>(
  config: ResolvedConfig,
  request: OperationRequest,
  facts: StepFacts,
  run: (context: FlowContext) => Promise<T>,
): Promise<WithCookies & T> {
  const context = contextOfRequest(config, request);
  context.step?.("action started", facts);
  try {
    const result = await run(context);
    context.step?.("action finished", facts);
    await context.written();
    return { ...result, cookies: context.jar.list() };
  } catch (thrown) {
    throw await logThrown(thrown, context);
  }
}

/**
 * Creates a session without a sign-in, as if the user had signed in with the given account. For tests of an application.
 *
 * @throws AccessDenied if an extension denies the user or `callbacks.jwt` returned null; JWTSessionError.
 */
export async function issueSession(
  config: ResolvedConfig,
  request: OperationRequest,
  signedIn: { readonly user: User; readonly account: Account },
): Promise<WithCookies> {
  const context = contextOfRequest(config, request);
  const { issueRequested } = await import("../sign-in/run-sign-in.ts");
  await issueRequested(context, signedIn);
  return { cookies: context.jar.list() };
}
