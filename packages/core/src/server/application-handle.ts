import { InvalidConfiguration } from "../model/errors.ts";
import type { ConfigResolver } from "./config-resolver.ts";
import type { ApplicationHandle, CurrentRequest } from "./open-application.ts";

/** The symbol under which `createAuth` stores the handle for extensions; the same in every installed copy of core. */
const HANDLE = Symbol.for("cardea.application");

/** The result of `createAuth`, or its member `auth`. */
export type Handled = object;

type Open = (id: string) => ApplicationHandle;

/** Attaches the handle to an instance and to its functions, so that extensions can find the application. */
export function attachHandle<T extends object>(resolve: ConfigResolver, instance: T, current?: CurrentRequest): T {
  const open: Open = (id) => {
    const opened = async () => (await import("./open-application.ts")).openApplication(await resolve(), id);
    return {
      tools: async () => (await opened()).tools(),
      session: async (...given) => (await opened()).session(...given),
      requestTools: async (...given) => (await opened()).requestTools(...given),
      renewSession: async (...given) => (await opened()).renewSession(...given),
      current,
    };
  };
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
