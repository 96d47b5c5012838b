import { handlerOf } from "../actions/handlers.ts";
import { isAuthAction, ROUTES, type Route } from "../actions/routes.ts";
import { createFlowContext, guardOf, providerOf } from "../context/create-context.ts";
import { wantsJson } from "../context/request-facts.ts";
import { rememberIdentifier } from "../cookies/identifier.ts";
import { readMark } from "../cookies/pending.ts";
import { createLogger } from "../log/logger.ts";
import { warnOnce } from "../log/warn-once.ts";
import { toError } from "../model/auth-error.ts";
import type { LoggerInstance, RedactingLogger } from "../model/callbacks.ts";
import type { ActionContext } from "../model/context.ts";
import {
  AuthError,
  CredentialsSignin,
  EmailSignInError,
  MissingCSRF,
  SessionUnavailable,
  UnknownAction,
} from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { AuthResult } from "../model/result.ts";
import { identifierField } from "../protocol/identifier-field.ts";
import { createReference, showReference } from "../sign-in/error-reference.ts";
import { carriedCallbackUrl } from "../sign-in/redirect.ts";
import { errorResult, showsErrorPage, unavailableResult } from "./error-response.ts";
import type { IncomingRequest } from "./incoming-request.ts";
import { logError, toAuthError } from "./log-error.ts";
import { plainResponse } from "./plain-response.ts";
import { toResponse, wantsUrl } from "./to-response.ts";

/** Responses to failed requests; loaded with the first of them (decisions/012). */

/** How a failure is answered. */
interface FailureFrame {
  readonly write: (result: AuthResult) => Promise<Response>;
  /** Called with the error of the action, after it was logged. */
  readonly onError: (error: AuthError) => void;
}

/**
 * Logs the error of an action and returns the response. What fails in this, such as the database for the page of a stale form, is
 * logged and answered in the same way. Only then is the response that of a broken configuration.
 */
export function answerFailure(
  thrown: unknown,
  context: ActionContext,
  route: Route,
  { write, onError }: FailureFrame,
): Promise<Response> {
  const answer = async (error: unknown) => write(await resultOfFailure(error, context, route, onError));
  return answer(thrown)
    .catch(answer)
    .catch((again) => brokenResponse(context.request, again, context.logger));
}

async function resultOfFailure(
  thrown: unknown,
  context: ActionContext,
  route: Route,
  onError: (error: AuthError) => void,
): Promise<AuthResult> {
  const outage = route.action === undefined ? null : await findOutage(thrown, context);
  const error = outage ?? (SESSION_ROUTES.includes(route) ? toSessionError(thrown) : toAuthError(thrown));
  const reference = showsErrorPage(error, route.answers) ? createReference() : undefined;
  logError(error, context.logger, reference);
  onError(error);
  if (outage !== null) return showReference(unavailableResult(outage, context, formatOf(context)), context, reference);
  const isStale = error instanceof MissingCSRF && error.reason === "stale";
  const again = isStale ? await handlerOf(route, context.config).stale?.(context) : null;
  // A script shows no page.
  if (again && !(again.kind === "page" && wantsUrl(context))) return again;
  const callbackUrl = await carriedCallbackUrl(context);
  // What another site's form contains is not kept.
  if (error instanceof CredentialsSignin || error instanceof EmailSignInError) await rememberTyped(context);
  return showReference(
    errorResult(error, context, route.answers, callbackUrl, readMark(context.request.body)),
    context,
    reference,
  );
}

const EMAIL = { email: { type: "email" } };

/** Keeps the address or user name of a form that failed for the built-in sign-in page, which shows the form again. */
async function rememberTyped(context: ActionContext): Promise<void> {
  const { config, request } = context;
  const provider = providerOf(context);
  if (request.method !== "POST" || provider === undefined || config.pages.signIn !== undefined) return;
  const fields = provider.kind === "credentials" ? provider.credentials : provider.kind === "email" ? EMAIL : {};
  await rememberIdentifier(context, request.body.get(identifierField(fields) ?? ""));
}

function formatOf(context: ActionContext): "url" | "json" | "page" {
  if (wantsUrl(context)) return "url";
  return wantsJson(context.headers) ? "json" : "page";
}

const SESSION_ROUTES: readonly Route[] = [ROUTES["GET session"], ROUTES["POST session"]];

/** A session that cannot be sent as JSON is that of `callbacks.session`, and counts as one that cannot be read. */
function toSessionError(thrown: unknown): AuthError {
  if (thrown instanceof AuthError) return thrown;
  const cause = { err: toError(thrown), callback: "session" };
  return new SessionUnavailable("callbacks.session returned a value that is not JSON.", { cause });
}

async function findOutage(thrown: unknown, { config }: ActionContext): Promise<AuthError | null> {
  return (await guardOf(config)?.outage(thrown)) ?? null;
}

/**
 * Logs why the application cannot handle requests, and responds with the page for a broken configuration.
 *
 * @param logger that of the application, as far as it is known.
 */
export function answerBroken(
  thrown: unknown,
  request: IncomingRequest,
  logger: Partial<LoggerInstance>,
): Promise<Response> {
  return brokenResponse(request, thrown, createLogger(logger, false, []));
}

/**
 * Logs why a server's configuration is invalid, or why it cannot decide whether the host is trusted, and responds: a page for
 * browsers, JSON for API clients. It neither reveals the problem nor repeats any part of the request.
 *
 * @param thrown is logged, with the reference that the page shows.
 */
async function brokenResponse(
  request: Pick<Request, "method" | "headers">,
  thrown: unknown,
  logger: RedactingLogger,
): Promise<Response> {
  const wantsPage = request.headers.get("accept")?.includes("text/html") === true;
  const reference = wantsPage ? createReference() : undefined;
  logError(toAuthError(thrown), logger, reference);
  const page = { kind: "error", error: "Configuration", reference, signInUrl: "/" } as const;
  const message = "This server is misconfigured. See its log for details.";
  const result = wantsPage
    ? ({ kind: "page", status: 500, page } as const)
    : ({ kind: "json", status: 500, body: { message } } as const);
  const frame = { cookies: [], theme: {}, texts: {}, formTargets: [], origin: "", returnRedirect: false };
  const response = await toResponse(result, frame);
  return request.method === "HEAD" ? new Response(null, response) : response;
}

/** Logs that the host of a request is untrusted or invalid, and returns the response. */
export async function answerWithoutOrigin(
  thrown: unknown,
  request: IncomingRequest,
  config: ResolvedConfig,
): Promise<Response> {
  const error = toAuthError(thrown);
  const { logger, written } = createFlowContext(config, "", request.headers);
  const isMalformed = error.type === "InvalidHost";
  if (isMalformed) logError(error, logger);
  const broken = isMalformed ? null : await brokenResponse(request, error, logger);
  await written();
  return broken ?? plainResponse(400, "The host of this request is invalid.");
}

/**
 * Logs that no endpoint matches a request, and returns the response.
 *
 * @param path with the prefix that the framework removed.
 * @param allow the methods that the path supports; undefined if no endpoint has that path.
 */
export async function answerUnknown(
  request: IncomingRequest,
  path: string,
  config: ResolvedConfig,
  allow: string | undefined,
): Promise<Response> {
  const context = createFlowContext(config, "", request.headers);
  logError(new UnknownAction(`No endpoint matches this ${request.method} request.`), context.logger);
  const elsewhere = describeOtherPath(path, config);
  if (elsewhere !== null) warnOnce(context, `base-path: ${elsewhere}`);
  await context.written();
  if (allow === undefined) return (await notFoundPage(request, path, config)) ?? plainResponse(404, "Not found.");
  return plainResponse(405, "Method not allowed.", { allow });
}

/** For browsers, below the base path; null for anything else. It names no host, because none was validated. */
async function notFoundPage(
  { method, headers }: IncomingRequest,
  path: string,
  { receivedPath, basePath, theme, texts, fixedOrigin = "" }: ResolvedConfig,
): Promise<Response | null> {
  const isBelow = path.startsWith(`${receivedPath}/`);
  if (method !== "GET" || !isBelow || headers.get("accept")?.includes("text/html") !== true) return null;
  const page = { kind: "error", error: null, notFound: true, signInUrl: `${basePath}/signin` } as const;
  const frame = { cookies: [], theme, texts, formTargets: [], origin: fixedOrigin, returnRedirect: false };
  return toResponse({ kind: "page", status: 404, page }, frame);
}

/** Where the endpoints are instead, if the application passes the path of an action on from outside the base path; null otherwise. */
function describeOtherPath(path: string, { receivedPath }: ResolvedConfig): string | null {
  const segments = path.split("/");
  const at = [1, 2].find((n) => isAuthAction(segments.at(-n) ?? ""));
  // Visitors may send another spelling of the base path; no mount has escapes.
  const isBelow = `${path}/`.toLowerCase().startsWith(`${receivedPath}/`.toLowerCase());
  if (isBelow || at === undefined || path.includes("%")) return null;
  const mount = segments.slice(0, -at).join("/");
  const what = `the endpoints answer below ${receivedPath}, and a request for ${mount}/${segments.at(-at)} reached them. Set \`basePath\` to the path at which they are mounted.`;
  const removed = receivedPath.endsWith(mount) ? receivedPath.slice(0, -mount.length) : "";
  return removed === "" ? what : `${what} If a proxy removes ${removed} from paths, set \`strippedPrefix\` to it.`;
}
