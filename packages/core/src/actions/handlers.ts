import { guardOf, methodsOf } from "../context/create-context.ts";
import type { ActionContext } from "../model/context.ts";
import { InvalidRequest } from "../model/errors.ts";
import { loadOnce } from "../model/load-once.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { AuthResult } from "../model/result.ts";
import type { ActionHandler, ActionHandlers } from "../model/sign-in-method.ts";
import { accountsOf } from "../session/accounts.ts";
import { ROUTES, type Route } from "./routes.ts";
import { session, updateSessionAction } from "./session.ts";

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
const signout = lazy(() => import("./signout.ts"));
const signin = lazy(() => import("./signin.ts"));
const callback = lazy(() => import("./callback.ts"));
const account = lazy(() => import("./confirm-account.ts"));

/** The code of the actions that no part brings, apart from the routes, so that a guard that only compares paths brings none of it along. */
const HANDLERS: ActionHandlers = {
  "GET csrf": { run: csrf((its) => its.csrf) },
  "GET providers": { run: providers((its) => its.providers) },
  "GET session": { run: session },
  "POST session": { run: updateSessionAction },
  "GET signin": { run: signin((its) => its.signinPage) },
  "POST signin": { run: signin((its) => its.signin) },
  "GET signout": { run: signout((its) => its.signoutPage) },
  "POST signout": { run: signout((its) => its.signout), stale: signout((its) => its.staleSignout) },
  "GET callback": { run: callback((its) => its.callback) },
  "POST callback": { run: callback((its) => its.callback), stale: callback((its) => its.staleCallback) },
  "GET error": { run: error((its) => its.error) },
  "GET confirm-account": { run: account((its) => its.confirmAccountPage) },
  "POST confirm-account": {
    run: account((its) => its.confirmAccount),
    stale: account((its) => its.confirmAccountPage),
  },
} satisfies Partial<Record<keyof typeof ROUTES, ActionHandler>>;

const NAMES: ReadonlyMap<Route, string> = new Map(Object.entries(ROUTES).map(([name, route]) => [route, name]));

/** The code of the action that a request was matched with: of core, of the part that brings it, or of an extension. */
export function handlerOf(route: Route, config: ResolvedConfig): ActionHandler {
  const name = NAMES.get(route) ?? "";
  return HANDLERS[name] ?? broughtHandler(config, name) ?? { run: (context) => runExtensionAction(context, route) };
}

/** The code of an action that the accounts or a sign-in method bring. */
function broughtHandler(config: ResolvedConfig, name: string): ActionHandler | undefined {
  return [accountsOf(config), ...methodsOf(config)].find((part) => part?.actions?.[name])?.actions?.[name];
}

/** Runs an extension's action, whose code is loaded with the first request for it. */
async function runExtensionAction(context: ActionContext, { action }: Route): Promise<AuthResult> {
  const guard = guardOf(context.config);
  if (guard === undefined || action === undefined)
    throw new InvalidRequest("No configured provider, adapter or extension has this action.", 400);
  return guard.act(context, action.extension, action.spec);
}
