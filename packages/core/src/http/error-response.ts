import { ownCookies } from "../context/create-context.ts";
import { wantsJson } from "../context/request-facts.ts";
import type { ActionContext } from "../model/context.ts";
import {
  type AuthError,
  CredentialsSignin,
  ErrorPageLoop,
  InvalidCheck,
  InvalidRequest,
  MissingCSRF,
  WebAuthnVerificationError,
} from "../model/errors.ts";
import type { AuthResult, Page } from "../model/result.ts";
import { RETRY_AFTER } from "../model/units.ts";
import { errorOutcomeOf } from "./error-outcome.ts";
import { logError } from "./log-error.ts";

/** Whether the answer to a failed request is an error page, or leads to one. */
export function showsErrorPage(error: AuthError, answers: "json" | "page"): boolean {
  return answers === "page" && (errorOutcomeOf(error).show.page === "error" || isFromOtherSite(error));
}

const isFromOtherSite = (error: AuthError) => error instanceof MissingCSRF && error.reason === "cross-site";

/**
 * Converts an error to a response. The client receives a documented value only (docs/errors.md;
 * docs/behaviour.md#errors-and-logs).
 *
 * 1. An API client gets a status and `null` instead of data, so that an error is never mistaken for a session.
 * 2. An unreadable body gets the status of its error.
 * 3. A form sent by another site gets 403, as rule 1 says or with a page, without a redirect that would look like success.
 * 4. A visitor is redirected to the sign-in page or the error page, built in or the application's own.
 *
 * @param callbackUrl where the visitor wanted to go; validated, or null.
 * @param mark of the page `confirm-address` that the visitor came from, for the sign-in page.
 */
export function errorResult(
  error: AuthError,
  context: ActionContext,
  answers: "json" | "page",
  callbackUrl: string | null,
  mark?: string,
): AuthResult {
  const outcome = errorOutcomeOf(error);
  if (error instanceof InvalidRequest) return { kind: "json", status: error.status, body: { message: error.message } };
  if (answers === "json" || (isFromOtherSite(error) && wantsJson(context.headers))) {
    const headers = outcome.status === 503 ? { "retry-after": RETRY_AFTER } : {};
    return { kind: "json", status: outcome.status, body: null, headers };
  }
  if (isFromOtherSite(error)) return builtInPage(context, 403, { error: null, crossSite: true });
  if (outcome.show.page === "error" && isErrorPage(context, callbackUrl)) return ownErrorPage(outcome, context);
  const url = errorUrlOf(error, context, callbackUrl, mark);
  const { incomplete, retryAfter, busy } = error.cause ?? {};
  if (incomplete === true) return { kind: "redirect", url, body: { complete: false } };
  if (typeof retryAfter !== "number") return { kind: "redirect", url };
  return { kind: "redirect", url, status: busy === true ? 503 : 429, headers: { "retry-after": String(retryAfter) } };
}

/**
 * The response while an action of an extension is unavailable: 503 in the requested format. Browsers are redirected to the
 * application's own error page, if there is one. No cookie is cleared.
 *
 * @param format `url` is for scripts, which get `{ url }` as with a redirect.
 */
export function unavailableResult(
  error: AuthError,
  context: ActionContext,
  format: "url" | "json" | "page",
): AuthResult {
  const later = { status: 503, headers: { "retry-after": RETRY_AFTER } };
  if (format === "json") return { kind: "json", body: null, ...later };
  if (format === "page" && context.config.pages.error === undefined)
    return { ...builtInPage(context, 503, { error: "Configuration" }), ...later };
  return { kind: "redirect", url: errorUrlOf(error, context, null), ...later };
}

/** Whether the visitor was on the way to the application's error page, which then requires a session itself. */
function isErrorPage(context: ActionContext, callbackUrl: string | null): boolean {
  if (context.config.pages.error === undefined || callbackUrl === null) return false;
  const page = errorPageUrl(context);
  const target = new URL(callbackUrl, context.origin);
  return `${target.origin}${target.pathname}` === `${page.origin}${page.pathname}`;
}

/** Shows the built-in page instead of the application's, which would redirect the browser to the sign-in page again. */
function ownErrorPage({ show, status }: ReturnType<typeof errorOutcomeOf>, context: ActionContext): AuthResult {
  const message =
    "`pages.error` requires a session, so it cannot be shown to a signed-out visitor. The built-in page was shown instead. Allow unauthenticated access to `pages.error`.";
  logError(new ErrorPageLoop(message, { cause: { page: context.config.pages.error } }), context.logger);
  return builtInPage(context, status, { error: show.error });
}

function builtInPage({ baseUrl }: ActionContext, status: number, told: ErrorTold) {
  const page = { kind: "error", ...told, signInUrl: `${baseUrl}/signin` } as const;
  return { kind: "page", status, page } as const;
}

/** The facts that the built-in error page explains. */
type ErrorTold = Pick<Extract<Page, { kind: "error" }>, "error" | "crossSite">;

/** The parts of a context that the URL of a page depends on. */
type Place = Pick<ActionContext, "config" | "baseUrl" | "origin" | "cookies" | "received"> &
  Partial<Pick<ActionContext, "request">>;

/**
 * What the sign-in page can say besides `error`. Every page with a form sets a cookie, and so does every start of a sign-in: a browser that
 * sends none with what follows blocks them, or is not the one that began. With the form of a provider, browsers send no cookie that is
 * `SameSite=Lax`, so it shows nothing.
 */
function codeOf(error: AuthError, { config, cookies, received, request }: Place): string | undefined {
  if (error instanceof CredentialsSignin) return error.code;
  // The page's script has the device forget the passkey.
  if (error instanceof WebAuthnVerificationError && error.cause?.unknown === true) return "unknown-credential";
  const needsCookie = error instanceof MissingCSRF || (error instanceof InvalidCheck && request?.method === "GET");
  const isOurs = ownCookies(config, cookies);
  return needsCookie && ![...received.keys()].some(isOurs) ? "cookies" : undefined;
}

/** The URL to redirect to after an error: the sign-in page or the error page, with the documented value. */
export function errorUrlOf(error: AuthError, context: Place, callbackUrl: string | null, mark?: string): string {
  const outcome = errorOutcomeOf(error);
  const onErrorPage = outcome.show.page === "error";
  const { pages } = context.config;
  const url = onErrorPage
    ? errorPageUrl(context)
    : new URL(pages.signIn ?? `${context.baseUrl}/signin`, context.origin);
  if (outcome.show.error !== null) url.searchParams.set("error", outcome.show.error);
  const code = onErrorPage ? undefined : codeOf(error, context);
  if (code !== undefined) url.searchParams.set("code", code);
  if (!onErrorPage && callbackUrl !== null) url.searchParams.set("callbackUrl", callbackUrl);
  if (!onErrorPage && mark !== undefined) url.searchParams.set("confirmAddress", mark);
  return url.href;
}

function errorPageUrl(context: Place): URL {
  return new URL(context.config.pages.error ?? `${context.baseUrl}/error`, context.origin);
}
