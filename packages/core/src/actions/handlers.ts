import { guardOf } from "../context/create-context.ts";
import type { ActionContext } from "../model/context.ts";
import { UnknownAction } from "../model/errors.ts";
import type { AuthResult } from "../model/result.ts";
import { loadOnce } from "../model/when-there.ts";
import { ROUTES, type Route } from "./routes.ts";
import { session, updateSession } from "./session.ts";

/** Reads the context, returns data. */
type Action = (context: ActionContext) => Promise<AuthResult>;

/** The code of one action. */
interface Handler {
  /** Handles the request. */
  readonly run: Action;
  /** The response if the CSRF token is missing or stale; default: a redirect to the sign-in page. */
  readonly stale?: (context: ActionContext) => Promise<AuthResult | null>;
}

/** An action whose module is loaded with the first request for it. */
function lazy<Module>(load: () => Promise<Module>) {
  const loaded = loadOnce(load);
  return <R>(choose: (module: Module) => (context: ActionContext) => Promise<R>) =>
    async (context: ActionContext) =>
      choose(await loaded())(context);
}

// A session is read by nearly every visitor. Everything else is loaded on demand (decisions/012).
const csrf = lazy(() => import("./csrf.ts"));
const providers = lazy(() => import("./providers.ts"));
const error = lazy(() => import("./error.ts"));
const verifyRequest = lazy(() => import("./verify-request.ts"));
const signout = lazy(() => import("./signout.ts"));
const signin = lazy(() => import("./signin.ts"));
const callback = lazy(() => import("./callback.ts"));
const account = lazy(() => import("./confirm-account.ts"));
const address = lazy(() => import("./confirm-address.ts"));
const passkeys = lazy(() => import("./webauthn-options.ts"));

/** The code of every action, apart from the routes, so that a guard that only compares paths brings none of it along. */
const HANDLERS = {
  "GET csrf": { run: csrf((its) => its.csrf) },
  "GET providers": { run: providers((its) => its.providers) },
  "GET session": { run: session },
  "POST session": { run: updateSession },
  "GET signin": { run: signin((its) => its.signinPage) },
  "POST signin": { run: signin((its) => its.signin) },
  "GET signout": { run: signout((its) => its.signoutPage) },
  "POST signout": { run: signout((its) => its.signout), stale: signout((its) => its.staleSignout) },
  "GET callback": { run: callback((its) => its.callback) },
  "POST callback": { run: callback((its) => its.callback), stale: callback((its) => its.staleCallback) },
  "GET webauthn-options": { run: passkeys((its) => its.webauthnOptions) },
  "GET error": { run: error((its) => its.error) },
  "GET verify-request": { run: verifyRequest((its) => its.verifyRequest) },
  "GET confirm-account": { run: account((its) => its.confirmAccountPage) },
  "POST confirm-account": {
    run: account((its) => its.confirmAccount),
    stale: account((its) => its.confirmAccountPage),
  },
  "GET confirm-address": { run: address((its) => its.confirmAddressPage) },
  "POST confirm-address": {
    run: address((its) => its.confirmAddress),
    stale: address((its) => its.confirmAddressPage),
  },
  "GET webauthn-script": { run: passkeys((its) => its.webauthnScript) },
} as const satisfies Record<keyof typeof ROUTES, Handler>;

const OF_CORE: ReadonlyMap<Route, Handler> = new Map(
  Object.entries(ROUTES).map(([key, route]): [Route, Handler] => [route, Reflect.get(HANDLERS, key)]),
);

/** The code of the action that a request was matched with. */
export function handlerOf(route: Route): Handler {
  return OF_CORE.get(route) ?? { run: (context) => runAction(context, route) };
}

/** Runs an extension's action, whose code is loaded with the first request for it. */
async function runAction(context: ActionContext, { action }: Route): Promise<AuthResult> {
  const guard = guardOf(context.config);
  if (guard === undefined || action === undefined)
    throw new UnknownAction("The extension of this action is not configured.");
  return guard.act(context, action.extension, action.spec);
}
