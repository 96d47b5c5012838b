import { providerOf } from "../context/create-context.ts";
import type { ActionContext } from "../model/context.ts";
import type { AuthAction } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { ExtensionAction, ResolvedExtensions } from "../model/resolved-extensions.ts";

/** The security properties of one action. */
export interface Route {
  /** Whether the body must contain the CSRF token; `unless-oauth`: not if `state` protects the request (RFC 6749 §10.12). */
  readonly csrf: "required" | "unless-oauth" | "none";
  /** Whether the path may have a second segment: a provider's id or, in an extension's action, a value that the extension defines. */
  readonly provider: "optional" | "required" | "none";
  /** Which pages of the option `origins` may use it: `credentials`, to sign in with a credentials provider only; absent: none. */
  readonly shared?: "always" | "credentials";
  /** The form of a failure: JSON for API clients, a redirect or a page for browsers. */
  readonly answers: "json" | "page";
  /** Whether HEAD may run it: only if it changes nothing. */
  readonly head: "run" | "skip";
  /** The action of an extension; absent: one of core, see `handlers.ts`. */
  readonly action?: ExtensionAction;
}

const page = { csrf: "none", provider: "none", answers: "page", head: "run" } as const;
const json = { csrf: "none", provider: "none", answers: "json", head: "run" } as const;
const post = { csrf: "required", provider: "none", answers: "page", head: "skip" } as const;

/** Every action by method and name: the whole HTTP interface on one screen. `handlers.ts` has their code. */
export const ROUTES = {
  "GET csrf": { ...json, shared: "always" },
  "GET providers": { ...json, shared: "always" },
  "GET session": { ...json, head: "skip", shared: "always" },
  "POST session": { ...post, answers: "json", shared: "always" },
  "GET signin": { ...page, provider: "optional" },
  "POST signin": { ...post, provider: "optional", shared: "always" },
  "GET signout": { ...page },
  "POST signout": { ...post, shared: "always" },
  "GET callback": { ...page, provider: "required", head: "skip" },
  "POST callback": { ...post, provider: "required", csrf: "unless-oauth", shared: "credentials" },
  "GET webauthn-options": { ...json, provider: "optional", head: "skip" },
  "GET error": { ...page },
  "GET verify-request": { ...page },
  "GET confirm-account": { ...page },
  "POST confirm-account": { ...post },
  "GET confirm-address": { ...page },
  "POST confirm-address": { ...post },
  // The passkey script of the built-in sign-in page: public, without cookies, and not requested by other pages.
  "GET webauthn-script": { ...json },
} as const satisfies Record<string, Route>;

/** The route of an extension's action. */
function extensionRoute(action: ExtensionAction): Route {
  const { csrf, segment: provider, answers, head } = action.spec;
  return { csrf, provider, answers, head, action };
}

/** Whether this request must contain the CSRF token. */
export function needsCsrfToken(route: Route, context: ActionContext): boolean {
  if (!context.config.csrfEnabled || route.csrf === "none") return false;
  return route.csrf === "required" || providerOf(context)?.kind !== "oauth";
}

/** The other origins whose pages may use a route: those of the option `origins`, or none. */
export function originsOf(
  { shared }: Route,
  config: ResolvedConfig,
  providerId: string | undefined,
): readonly string[] {
  if (shared === "always") return config.origins;
  const isCredentials = config.providers.get(providerId ?? "")?.kind === "credentials";
  return shared === "credentials" && isCredentials ? config.origins : [];
}

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
 * @param pathname of a parsed URL, which has no dot segments; otherwise as it was sent.
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
