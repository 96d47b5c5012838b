import { loadRunner } from "../context/extension-runner.ts";
import { providerOf } from "../flows/require-provider.ts";
import type { ActionContext } from "../model/context.ts";
import { UnknownAction } from "../model/errors.ts";
import { loadOnce } from "../model/load-once.ts";
import type { ExtensionAction } from "../model/resolved-extensions.ts";
import type { AuthResult } from "../model/result.ts";
import { session, updateSession } from "./session.ts";

// A session is read by nearly every visitor. Everything else is loaded with the first request for it (decisions/012).
const csrf = loadOnce(() => import("./csrf.ts"));
const providers = loadOnce(() => import("./providers.ts"));
const error = loadOnce(() => import("./error.ts"));
const verifyRequest = loadOnce(() => import("./verify-request.ts"));
const signout = loadOnce(() => import("./signout.ts"));
const signin = loadOnce(() => import("./signin.ts"));
const callback = loadOnce(() => import("./callback.ts"));
const address = loadOnce(() => import("./confirm-address.ts"));
const passkeyScript = loadOnce(() => import("./webauthn-script.ts"));
const passkeyOptions = loadOnce(() => import("./webauthn-options.ts"));

/** Reads the context, returns data. */
type Action = (context: ActionContext) => Promise<AuthResult>;

/** The security properties of one action. */
export interface Route {
  readonly run: Action;
  /** Whether the body must contain the CSRF token; `unless-oauth`: not if `state` protects the request (RFC 6749 §10.12). */
  readonly csrf: "required" | "unless-oauth" | "none";
  /** Whether the path may have a second segment: the id of a provider or, in an extension's action, what the extension defines. */
  readonly provider: "optional" | "required" | "none";
  /** The form of a failure: JSON for API clients, a redirect or a page for browsers. */
  readonly answers: "json" | "page";
  /** Whether HEAD may run it: only if it changes nothing. */
  readonly head: "run" | "skip";
  /** The response if the token is missing or stale; default: a redirect to the sign-in page. */
  readonly stale?: (context: ActionContext) => Promise<AuthResult | null>;
}

const page = { csrf: "none", provider: "none", answers: "page", head: "run" } as const;
const json = { csrf: "none", provider: "none", answers: "json", head: "run" } as const;
const form = { csrf: "required", provider: "none", answers: "page", head: "skip" } as const;

/** Every action by method and name: the whole HTTP interface on one screen. */
export const ROUTES = {
  "GET csrf": { ...json, run: async (context) => (await csrf()).csrf(context) },
  "GET providers": { ...json, run: async (context) => (await providers()).providers(context) },
  "GET session": { ...json, run: session, head: "skip" },
  "POST session": { ...form, run: updateSession, answers: "json" },
  "GET signin": { ...page, run: async (context) => (await signin()).signinPage(context), provider: "optional" },
  "POST signin": { ...form, run: async (context) => (await signin()).signin(context), provider: "optional" },
  "GET signout": { ...page, run: async (context) => (await signout()).signoutPage(context) },
  "POST signout": {
    ...form,
    run: async (context) => (await signout()).signout(context),
    stale: async (context) => (await signout()).staleSignout(context),
  },
  "GET callback": {
    ...page,
    run: async (context) => (await callback()).callback(context),
    provider: "required",
    head: "skip",
  },
  "POST callback": {
    ...form,
    run: async (context) => (await callback()).callback(context),
    provider: "required",
    csrf: "unless-oauth",
    stale: async (context) => (await callback()).staleCallback(context),
  },
  "GET webauthn-options": {
    ...json,
    run: async (context) => (await passkeyOptions()).webauthnOptions(context),
    provider: "optional",
    head: "skip",
  },
  "GET error": { ...page, run: async (context) => (await error()).error(context) },
  "GET verify-request": { ...page, run: async (context) => (await verifyRequest()).verifyRequest(context) },
  "GET confirm-address": { ...page, run: async (context) => (await address()).confirmAddressPage(context) },
  "POST confirm-address": {
    ...form,
    run: async (context) => (await address()).confirmAddress(context),
    stale: async (context) => (await address()).confirmAddressPage(context),
  },
  // The passkey script of the built-in sign-in page: public, without cookies, and not requested by other pages
  // (decisions/013).
  "GET webauthn-script": { ...json, run: async (context) => (await passkeyScript()).webauthnScript(context) },
} as const satisfies Record<string, Route>;

/** The route of an extension's action. What it does is loaded with the first request for it. */
export function extensionRoute({ extension, spec }: ExtensionAction): Route {
  const { csrf, segment: provider, answers, head } = spec;
  const run: Action = async (context) => {
    const runner = await loadRunner(context.config);
    if (runner === undefined) throw new UnknownAction("The extension of this action is not configured.");
    return runner.act(context, extension, spec);
  };
  return { run, csrf, provider, answers, head };
}

/** Whether this very request must hold the CSRF token. */
export function needsCsrfToken(route: Route, context: ActionContext): boolean {
  if (!context.config.csrfEnabled || route.csrf === "none") return false;
  return route.csrf === "required" || providerOf(context)?.kind !== "oauth";
}
