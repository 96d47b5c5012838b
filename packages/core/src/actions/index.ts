import { loadRunner } from "../context/extension-runner.ts";
import { providerOf } from "../flows/require-provider.ts";
import type { ActionContext } from "../model/context.ts";
import { UnknownAction } from "../model/errors.ts";
import type { ExtensionAction } from "../model/resolved-extensions.ts";
import type { AuthResult } from "../model/result.ts";
import { session, updateSession } from "./session.ts";

/** Reads the context, returns data. */
type Action = (context: ActionContext) => Promise<AuthResult>;

// A session is read by nearly every visitor. Everything else is loaded with the first request for it (decisions/012).
const showCsrf: Action = async (context) => (await import("./csrf.ts")).csrf(context);
const showProviders: Action = async (context) => (await import("./providers.ts")).providers(context);
const showError: Action = async (context) => (await import("./error.ts")).error(context);
const showVerifyRequest: Action = async (context) => (await import("./verify-request.ts")).verifyRequest(context);
const showSignOut: Action = async (context) => (await import("./signout.ts")).signoutPage(context);
const signOut: Action = async (context) => (await import("./signout.ts")).signout(context);
const showSignIn: Action = async (context) => (await import("./signin.ts")).signinPage(context);
const startSignIn: Action = async (context) => (await import("./signin.ts")).signin(context);
const finishSignIn: Action = async (context) => (await import("./callback.ts")).callback(context);
const showAddress: Action = async (context) => (await import("./confirm-address.ts")).confirmAddressPage(context);
const confirm: Action = async (context) => (await import("./confirm-address.ts")).confirmAddress(context);
const showScript: Action = async (context) => (await import("./webauthn-script.ts")).webauthnScript(context);
const passkeyOptions: Action = async (context) => (await import("./webauthn-options.ts")).webauthnOptions(context);
const staleSignOut: NonNullable<Route["stale"]> = async (context) =>
  (await import("./signout.ts")).staleSignout(context);
const staleForm: NonNullable<Route["stale"]> = async (context) =>
  (await import("./callback.ts")).staleCallback(context);

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
  "GET csrf": { ...json, run: showCsrf },
  "GET providers": { ...json, run: showProviders },
  "GET session": { ...json, run: session, head: "skip" },
  "POST session": { ...form, run: updateSession, answers: "json" },
  "GET signin": { ...page, run: showSignIn, provider: "optional" },
  "POST signin": { ...form, run: startSignIn, provider: "optional" },
  "GET signout": { ...page, run: showSignOut },
  "POST signout": { ...form, run: signOut, stale: staleSignOut },
  "GET callback": { ...page, run: finishSignIn, provider: "required", head: "skip" },
  "POST callback": { ...form, run: finishSignIn, provider: "required", csrf: "unless-oauth", stale: staleForm },
  "GET webauthn-options": { ...json, run: passkeyOptions, provider: "optional", head: "skip" },
  "GET error": { ...page, run: showError },
  "GET verify-request": { ...page, run: showVerifyRequest },
  "GET confirm-address": { ...page, run: showAddress },
  "POST confirm-address": { ...form, run: confirm, stale: showAddress },
  // The passkey script of the built-in sign-in page: public, without cookies, and not requested by other pages
  // (decisions/013).
  "GET webauthn-script": { ...json, run: showScript },
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
