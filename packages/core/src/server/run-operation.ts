import type { FlowContext } from "../model/context.ts";
import type { AuthError } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { type OperationRequest, openContext, type WithCookies } from "./read-session.ts";

/** Runs an operation that returns a URL; an error is logged and rethrown as an AuthError. */
export async function runOperation(
  config: ResolvedConfig,
  request: OperationRequest,
  run: (context: FlowContext) => Promise<string>,
): Promise<WithCookies & { readonly url: string }> {
  const context = openContext(config, request);
  try {
    const url = await run(context);
    await context.written();
    return { url, cookies: context.jar.list() };
  } catch (thrown) {
    throw await loggedError(context, thrown);
  }
}

/** Logs an operation's error and returns it as an AuthError. */
export async function loggedError(context: FlowContext, thrown: unknown): Promise<AuthError> {
  const { logError, toAuthError } = await import("../response/error-response.ts");
  const error = toAuthError(thrown);
  logError(error, context.logger);
  await context.written();
  return error;
}
