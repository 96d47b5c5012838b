import { contextOfRequest, guardOf } from "../context/create-context.ts";
import { addCookies } from "../http/add-cookies.ts";
import { InvalidConfiguration } from "../model/errors.ts";
import type { OpenedSession } from "../model/opened-session.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { AddedFacts } from "../model/session-facts.ts";
import type { RequestTools, Tools } from "../model/tools.ts";
import type { OperationRequest, WithCookies } from "./read-session.ts";

/** The request for which server code called a function of an extension. */
export interface HandledRequest {
  /** The extension's tools for this request. */
  readonly tools: RequestTools;
  /** Adds the cookies set so far to the headers of the response. */
  addCookies(headers: Headers): void;
}

/** The application, for functions of an extension that server code calls. */
export interface ApplicationHandle {
  /** The tools of an extension. */
  tools(): Promise<Tools>;
  /**
   * The session of a request if it is valid, otherwise null.
   *
   * @param o `isFresh`: set it for a sensitive action, so that no extension answers from a cache.
   *
   * @throws SessionUnavailable.
   */
  session(request: OperationRequest, o?: { readonly isFresh?: boolean }): Promise<OpenedSession | null>;
  /**
   * The tools of an extension for a request.
   *
   * @throws UntrustedHost, InvalidHost.
   */
  requestTools(request: OperationRequest): Promise<HandledRequest>;
  /**
   * Re-issues the session of a request with additional facts. The response must set the returned cookies.
   *
   * @throws SessionUnavailable.
   */
  renewSession(request: OperationRequest, facts: AddedFacts): Promise<WithCookies>;
  /** Access to the current request, in frameworks that provide it to server code; otherwise undefined. */
  readonly current: CurrentRequest | undefined;
}

/** The current request of a framework whose server code does not receive the request as an argument. */
export interface CurrentRequest {
  /**
   * The parts of the current request.
   *
   * @throws if there is no current request.
   */
  read(): Promise<OperationRequest>;
  /** Redirects the browser by throwing an exception that the framework catches. */
  redirect(url: string): Promise<never>;
}

/**
 * The operations behind the functions that an extension offers to server code.
 *
 * @param id of the extension.
 * @throws InvalidConfiguration if it is not configured.
 */
export function openApplication(config: ResolvedConfig, id: string): Omit<ApplicationHandle, "current"> {
  const guard = guardOf(config);
  if (guard === undefined || !config.extensions?.list.some((one) => one.id === id))
    throw new InvalidConfiguration(`The extension "${id}" is not configured: add it to \`extensions\`.`);
  return {
    tools: async () => guard.tools(config, id),
    session: async (request, { isFresh = false } = {}) => guard.session(contextOfRequest(config, request), id, isFresh),
    requestTools: async (request) => {
      const context = contextOfRequest(config, request);
      return {
        tools: await guard.requestTools(context, id),
        addCookies: (headers) => addCookies(headers, { cookies: context.jar.list() }),
      };
    },
    renewSession: async (request, facts) => {
      const context = contextOfRequest(config, request);
      await guard.renew(context, facts);
      return { cookies: context.jar.list() };
    },
  };
}
