import { createFlowContext } from "../context/create-context.ts";
import { resolvePublicOrigin } from "../context/public-origin.ts";
import type { FlowContext } from "../model/context.ts";
import type { Session } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { Cookie } from "../model/result.ts";
import { logError, toAuthError } from "../response/error-response.ts";
import { strategyOf } from "../session/select-strategy.ts";
import type { ReadMode } from "../session/strategy.ts";

/** What an operation needs of the request that it runs for. */
export interface OperationRequest {
  /** The URL as the server sees it; the public origin is derived from it and the headers. */
  readonly url: string;
  readonly headers: Headers;
}

/** A result and the cookies that the answer must set. */
export interface WithCookies {
  readonly cookies: readonly Cookie[];
}

/**
 * Reads the session of a request.
 *
 * @param mode `renew` where the answer can carry cookies, else `look`.
 * @returns the session, or null when there is none or the host is not trusted.
 * @throws SessionUnavailable when a callback or the database failed.
 */
export async function readSession(
  config: ResolvedConfig,
  request: OperationRequest,
  mode: ReadMode,
): Promise<WithCookies & { readonly session: Session | null }> {
  const context = trustedContext(config, request);
  if (context === null) return { session: null, cookies: [] };
  try {
    const read = await strategyOf(config).read(context, mode);
    return { session: read.kind === "session" ? read.session : null, cookies: context.jar.list() };
  } catch (thrown) {
    const error = toAuthError(thrown);
    logError(error, context.logger);
    throw error;
  }
}

/**
 * The origin that the browser sees.
 *
 * @throws UntrustedHost, InvalidHost.
 */
export function publicOriginOf(config: ResolvedConfig, request: OperationRequest): string {
  return resolvePublicOrigin(config, request.headers, request.url);
}

/** Connects a request to the flows; throws as {@link publicOriginOf}. */
export function openContext(config: ResolvedConfig, request: OperationRequest): FlowContext {
  return createFlowContext(config, publicOriginOf(config, request), request.headers);
}

/** A host that may not be trusted has no session: that is logged, and nobody is let in. */
function trustedContext(config: ResolvedConfig, request: OperationRequest): FlowContext | null {
  try {
    return openContext(config, request);
  } catch (thrown) {
    logError(toAuthError(thrown), createFlowContext(config, "", request.headers).logger);
    return null;
  }
}
