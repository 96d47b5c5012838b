import { InvalidConfiguration } from "../model/errors.ts";
import type { OpenedSession } from "../model/opened-session.ts";
import type { AddedFacts } from "../model/session-facts.ts";
import type { Tools } from "../model/tools.ts";
import type { ConfigResolver } from "./config-resolver.ts";
import type { HandledRequest } from "./open-application.ts";
import type { OperationRequest, WithCookies } from "./read-session.ts";

/** The symbol under which `createAuth` stores the handle for extensions; the same in every installed copy of core. */
const HANDLE = Symbol.for("cardea.application");

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

/** The result of `createAuth`, or its member `auth`. */
export type Handled = object;

type Open = (id: string) => ApplicationHandle;

/** Attaches the handle to an instance and to its functions, so that extensions can find the application. */
export function attachHandle<T extends object>(resolve: ConfigResolver, instance: T, current?: CurrentRequest): T {
  const open: Open = (id) => ({
    tools: async () => (await import("./open-application.ts")).openTools(await resolve(), id),
    session: async (request, o) =>
      (await import("./open-application.ts")).openSession(await resolve(), id, request, o?.isFresh),
    requestTools: async (request) =>
      (await import("./open-application.ts")).openRequestTools(await resolve(), id, request),
    renewSession: async (request, facts) =>
      (await import("./open-application.ts")).renewRequestSession(await resolve(), id, request, facts),
    current,
  });
  for (const target of [instance, ...Object.values(instance)]) {
    if (typeof target === "function" || target === instance) Object.defineProperty(target, HANDLE, { value: open });
  }
  return instance;
}

/**
 * The application that an instance belongs to.
 *
 * @param auth the result of `createAuth`, or one of its functions, such as `auth`.
 * @param id of the calling extension.
 * @throws InvalidConfiguration if `auth` is something else.
 */
export function handleOf(auth: Handled, id: string): ApplicationHandle {
  const open: unknown = Reflect.get(auth, HANDLE);
  if (typeof open === "function") return parseHandle(open(id));
  throw new InvalidConfiguration(`\`${id}\` requires the result of createAuth(), or its \`auth\`.`);
}

/** Only {@link attachHandle} writes to the symbol. */
function parseHandle(handle: unknown): ApplicationHandle {
  return handle as ApplicationHandle;
}
