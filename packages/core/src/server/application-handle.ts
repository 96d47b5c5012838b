import type { AddedFacts } from "../model/added-facts.ts";
import { InvalidConfiguration } from "../model/errors.ts";
import type { OpenedSession } from "../model/opened-session.ts";
import type { Tools } from "../model/tools.ts";
import type { ConfigResolver } from "./config-resolver.ts";
import type { HandledRequest } from "./open-application.ts";
import type { OperationRequest, WithCookies } from "./read-session.ts";

/** Where `createAuth` keeps what extensions reach their application by; the same in every installed copy of core. */
const HANDLE = Symbol.for("cardea.application");

/** What a function of an extension that server code calls works with. */
export interface ApplicationHandle {
  /** The tools of an extension. */
  tools(): Promise<Tools>;
  /**
   * The session of a request, if it is valid; else null.
   *
   * @param o `isFresh`: an important action waits for it, so that no extension answers from what it remembers.
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
   * Re-issues the session of a request with further facts; its cookies are for the answer.
   *
   * @throws SessionUnavailable.
   */
  renewSession(request: OperationRequest, facts: AddedFacts): Promise<WithCookies>;
}

/** What `createAuth` returns, or its member `auth`. */
export type Handled = object;

type Open = (id: string) => ApplicationHandle;

/** Makes an instance, and what server code calls on it, reachable for extensions. */
export function attachHandle<T extends object>(resolve: ConfigResolver, instance: T): T {
  const open: Open = (id) => ({
    tools: async () => (await import("./open-application.ts")).openTools(await resolve(), id),
    session: async (request, o) =>
      (await import("./open-application.ts")).openSession(await resolve(), id, request, o?.isFresh),
    requestTools: async (request) =>
      (await import("./open-application.ts")).openRequestTools(await resolve(), id, request),
    renewSession: async (request, facts) =>
      (await import("./open-application.ts")).renewSession(await resolve(), id, request, facts),
  });
  for (const target of [instance, ...Object.values(instance)]) {
    if (typeof target === "function" || target === instance) Object.defineProperty(target, HANDLE, { value: open });
  }
  return instance;
}

/**
 * The application behind what `createAuth` returned.
 *
 * @param auth the result of `createAuth`, or a function of it such as `auth`.
 * @param id of the extension that asks.
 * @throws InvalidConfiguration when it is something else.
 */
export function handleOf(auth: Handled, id: string): ApplicationHandle {
  const open: unknown = Reflect.get(auth, HANDLE);
  if (typeof open === "function") return parseHandle(open(id));
  throw new InvalidConfiguration(`\`${id}\` needs what createAuth() returned, or its \`auth\`.`);
}

/** Only {@link attachHandle} puts something under the symbol. */
function parseHandle(handle: unknown): ApplicationHandle {
  return handle as ApplicationHandle;
}
