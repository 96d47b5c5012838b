import { carriedCallbackUrl } from "../actions/index.ts";
import { createFlowContext } from "../context/create-context.ts";
import { resolvePublicOrigin } from "../context/public-origin.ts";
import type { ActionContext } from "../model/context.ts";
import { AuthError, MissingCSRF, UnknownAction } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { AuthResult } from "../model/result.ts";
import { brokenResponse } from "../response/broken-response.ts";
import { errorResult, logError, toAuthError } from "../response/error-response.ts";
import { plainResponse } from "../response/plain-response.ts";
import { toResponse } from "../response/to-response.ts";
import { type Match, matchAction } from "./match-action.ts";
import { requireCsrf } from "./require-csrf.ts";
import { secretsIn } from "./secrets-in.ts";

/** The headers of a HEAD response, as for the corresponding GET (RFC 9110 §9.3.2). */
const JSON_HEADERS = { "content-type": "application/json", "x-content-type-options": "nosniff" };

type RouteMatch = Extract<Match, { kind: "route" }>;

/**
 * The way of one request, top to bottom: match, origin, parse, guard, run, respond. Never throws for anything a client sent.
 *
 * @param config resolved.
 * @param nonce makes random text, unknown to the client before; called where a page is shown.
 * @param strippedPath what the framework took off the front of the path.
 * @param onError is called with what the action threw, after it was logged.
 */
export async function handleRequest(
  request: Request,
  config: ResolvedConfig,
  nonce: () => string,
  strippedPath = "",
  onError: (error: AuthError) => void = () => {},
): Promise<Response> {
  const url = new URL(request.url);
  const path = `${strippedPath}${url.pathname}`;
  const match = matchAction(request.method, path, config.basePath, config.extensions);
  if (match.kind !== "route") return unknownAction(request, config, match);
  const opened = openContext(request, url, config, match);
  if (opened instanceof AuthError)
    return opened.type === "InvalidHost"
      ? plainResponse(400, "The host of this request is invalid.")
      : brokenResponse(request, nonce);
  if (match.head && match.route.head === "skip") {
    const headers = match.route.answers === "json" ? JSON_HEADERS : {};
    return toResponse({ kind: "empty", status: 200, headers }, frameOf(opened, nonce));
  }
  const { result, context } = await answer(request, opened, match, onError);
  const response = await toResponse(result, frameOf(context, nonce, match.head));
  return match.head ? new Response(null, { status: response.status, headers: response.headers }) : response;
}

function unknownAction(request: Request, config: ResolvedConfig, match: Exclude<Match, RouteMatch>): Response {
  const { logger } = createFlowContext(config, "", request.headers);
  logError(new UnknownAction(`No endpoint matches this ${request.method} request.`), logger);
  if (match.kind === "not-found") return plainResponse(404, "Not found.");
  return plainResponse(405, "Method not allowed.", { allow: match.allow });
}

/** Runs the action; the only place that catches its errors. */
async function answer(
  request: Request,
  opened: ActionContext,
  match: RouteMatch,
  onError: (error: AuthError) => void,
): Promise<{ result: AuthResult; context: ActionContext }> {
  let context = opened;
  try {
    if (request.method === "POST") {
      // Only a POST has a body; the parser is loaded with the first one (decisions/012).
      const { parseRequest } = await import("./parse-request.ts");
      const parsed = await parseRequest(request, "POST");
      context = { ...context, request: parsed };
      context.redactLater(() => secretsIn(parsed.body));
    }
    await requireCsrf(match.route, context);
    return { result: await match.route.run(context), context };
  } catch (thrown) {
    const error = toAuthError(thrown);
    logError(error, context.logger);
    onError(error);
    const confirmAgain = error instanceof MissingCSRF && error.reason === "stale" ? match.route.stale : undefined;
    const again = confirmAgain === undefined || wantsUrl(context) ? null : await confirmAgain(context);
    if (again !== null) return { result: again, context };
    const callbackUrl = await carriedCallbackUrl(context, context.request.body);
    return { result: errorResult(error, context, match.route.answers, callbackUrl), context };
  }
}

/** Creates the context of a request; an untrusted host is logged and returned as an error. */
function openContext(request: Request, url: URL, config: ResolvedConfig, match: RouteMatch): ActionContext | AuthError {
  const { headers } = request;
  const method = match.head ? "HEAD" : request.method === "POST" ? "POST" : "GET";
  const unread = { method, url, headers, body: new Map(), rawBody: undefined } as const;
  try {
    const flow = createFlowContext(config, resolvePublicOrigin(config, headers, request.url), headers);
    flow.redactLater(() => secretsIn(url.searchParams));
    return Object.assign(flow, { request: unread, query: url.searchParams, providerId: match.providerId });
  } catch (thrown) {
    const error = toAuthError(thrown);
    logError(error, createFlowContext(config, "", headers).logger);
    return error;
  }
}

function frameOf(context: ActionContext, nonce: () => string, head = false) {
  const cookies = head ? [] : context.jar.list();
  const { theme, texts } = context.config;
  return { cookies, theme, texts, origin: context.origin, returnRedirect: wantsUrl(context), nonce };
}

/** `X-Auth-Return-Redirect` on a POST: the client's script follows the URL itself (docs/behaviour.md#actions). */
function wantsUrl(context: ActionContext): boolean {
  return context.request.method === "POST" && context.request.headers.has("x-auth-return-redirect");
}
