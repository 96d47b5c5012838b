import { contextOfRequest, guardOf } from "../context/create-context.ts";
import { addCookies } from "../http/add-cookies.ts";
import { InvalidConfiguration } from "../model/errors.ts";
import type { OpenedSession } from "../model/opened-session.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { AddedFacts } from "../model/session-facts.ts";
import type { RequestTools, Tools } from "../model/tools.ts";
import type { OperationRequest, WithCookies } from "./read-session.ts";

/** The operations behind the functions that extensions offer to server code. */

/** The request for which server code called a function of an extension. */
export interface HandledRequest {
  /** The extension's tools for this request. */
  readonly tools: RequestTools;
  /** Adds the cookies set so far to the headers of the response. */
  addCookies(headers: Headers): void;
}

/**
 * The tools of an extension.
 *
 * @throws InvalidConfiguration when it is not configured.
 */
export async function openTools(config: ResolvedConfig, id: string): Promise<Tools> {
  return requireGuard(config, id).tools(config, id);
}

/**
 * The session of a request if every extension considers it valid, otherwise null.
 *
 * @throws SessionUnavailable.
 */
export async function openSession(
  config: ResolvedConfig,
  id: string,
  request: OperationRequest,
  isFresh = false,
): Promise<OpenedSession | null> {
  return requireGuard(config, id).session(contextOfRequest(config, request), id, isFresh);
}

/**
 * The tools of an extension for a request.
 *
 * @throws UntrustedHost, InvalidHost.
 */
export async function openRequestTools(
  config: ResolvedConfig,
  id: string,
  request: OperationRequest,
): Promise<HandledRequest> {
  const guard = requireGuard(config, id);
  const context = contextOfRequest(config, request);
  return {
    tools: await guard.requestTools(context, id),
    addCookies: (headers) => addCookies(headers, { cookies: context.jar.list() }),
  };
}

/**
 * Re-issues the session of a request with additional facts.
 *
 * @throws SessionUnavailable.
 */
export async function renewRequestSession(
  config: ResolvedConfig,
  id: string,
  request: OperationRequest,
  facts: AddedFacts,
): Promise<WithCookies> {
  const guard = requireGuard(config, id);
  const context = contextOfRequest(config, request);
  await guard.renew(context, facts);
  return { cookies: context.jar.list() };
}

function requireGuard(config: ResolvedConfig, id: string): NonNullable<ReturnType<typeof guardOf>> {
  const guard = guardOf(config);
  if (guard !== undefined && config.extensions?.list.some((one) => one.id === id)) return guard;
  throw new InvalidConfiguration(`The extension "${id}" is not configured: add it to \`extensions\`.`);
}
