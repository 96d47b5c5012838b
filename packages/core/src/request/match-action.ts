import { extensionRoute, ROUTES, type Route } from "../actions/index.ts";
import type { AuthAction } from "../model/records.ts";
import type { ExtensionAction, ResolvedExtensions } from "../model/resolved-extensions.ts";

/** The route for a method and a path. */
export type Match =
  | { readonly kind: "route"; readonly route: Route; readonly providerId: string | undefined; readonly head: boolean }
  | { readonly kind: "not-found" }
  | { readonly kind: "method-not-allowed"; readonly allow: string };

/** Routes by name, then by method. A `Map` has no prototype members that a path could match. */
const TABLE: ReadonlyMap<string, ReadonlyMap<string, Route>> = groupByName(ROUTES);

/**
 * Finds the action for a request by exact path segments (docs/behaviour.md#actions): no decoding, no case folding, no empty
 * segments, so that a path has the same spelling for us, a proxy and a rate limiter. One trailing slash is accepted.
 *
 * @param pathname of the URL, as it was sent.
 * @param basePath starts with `/` and does not end with one; empty at the root.
 * @param extensions of the configuration; core's own actions come first.
 */
export function matchAction(
  method: string,
  pathname: string,
  basePath: string,
  extensions?: ResolvedExtensions,
): Match {
  if (!pathname.startsWith(`${basePath}/`)) return { kind: "not-found" };
  const rest = pathname.slice(basePath.length + 1, pathname.endsWith("/") ? -1 : undefined);
  const [name = "", providerId, more] = rest.split("/", 3);
  const methods = TABLE.get(name) ?? extensionRoutes(extensions?.actions.get(name));
  if (methods === undefined || more !== undefined || providerId === "") return { kind: "not-found" };
  const route = methods.get(method === "HEAD" ? "GET" : method);
  if (route === undefined) return { kind: "method-not-allowed", allow: allowOf(methods) };
  const matches = providerId === undefined ? route.provider !== "required" : route.provider !== "none";
  return matches ? { kind: "route", route, providerId, head: method === "HEAD" } : { kind: "not-found" };
}

/** The actions of an extension as routes. */
function extensionRoutes(methods: ReadonlyMap<string, ExtensionAction> | undefined) {
  return methods && new Map([...methods].map(([method, action]): [string, Route] => [method, extensionRoute(action)]));
}

/** Whether an action has this name, for a framework adapter that routes by it. */
export function isAuthAction(name: string): name is AuthAction {
  return TABLE.has(name);
}

function allowOf(methods: ReadonlyMap<string, Route>): string {
  return [...methods.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
}

function groupByName(routes: Readonly<Record<string, Route>>): Map<string, Map<string, Route>> {
  const table = new Map<string, Map<string, Route>>();
  for (const [key, route] of Object.entries(routes)) {
    const [method = "", name = ""] = key.split(" ");
    table.set(name, (table.get(name) ?? new Map<string, Route>()).set(method, route));
  }
  return table;
}
