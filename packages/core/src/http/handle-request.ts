import { handlerOf } from "../actions/handlers.ts";
import { type Match, matchAction, needsCsrfToken, originsOf } from "../actions/routes.ts";
import { contextOfRequest, providerOf } from "../context/create-context.ts";
import type { ActionContext } from "../model/context.ts";
import type { AuthError } from "../model/errors.ts";
import { loadOnce } from "../model/load-once.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { AuthResult } from "../model/result.ts";
import { queryOf } from "../protocol/request-target.ts";
import type { IncomingRequest } from "./incoming-request.ts";
import { OF_JSON, toResponse, wantsUrl } from "./to-response.ts";

type RouteMatch = Extract<Match, { kind: "route" }>;

/**
 * Handles one request: match the route, resolve the origin, parse, check CSRF, run, respond. Never throws because of client
 * input.
 *
 * @param config the resolved configuration.
 * @param strippedPath path prefix that the framework removed.
 * @param onError called with the error of an action, after it was logged.
 */
export async function handleRequest(
  request: IncomingRequest,
  config: ResolvedConfig,
  strippedPath = "",
  onError: (error: AuthError) => void = () => {},
): Promise<Response> {
  const url = new URL(request.url);
  const path = `${strippedPath}${url.pathname}`;
  const respond = () => respondTo(request, url, path, config, onError);
  if (config.origins.length === 0) return respond();
  const { shareWithOrigins } = await import("./share-with-origins.ts");
  return shareWithOrigins(request, path, config, respond);
}

async function respondTo(
  request: IncomingRequest,
  url: URL,
  path: string,
  config: ResolvedConfig,
  onError: (error: AuthError) => void,
): Promise<Response> {
  const match = matchAction(request.method, path, config.receivedPath, config.extensions);
  if (match.kind !== "route") {
    const { answerUnknown } = await loadFailure();
    return answerUnknown(request, path, config, "allow" in match ? match.allow : undefined);
  }
  let opened: ActionContext;
  try {
    opened = createActionContext(request, url, config, match);
  } catch (thrown) {
    const { answerWithoutOrigin } = await loadFailure();
    return answerWithoutOrigin(thrown, request, config);
  }
  if (match.head && match.route.head === "skip") {
    // As for the corresponding GET (RFC 9110 §9.3.2).
    const headers = match.route.answers === "json" ? OF_JSON : {};
    return toResponse({ kind: "empty", status: 200, headers }, frameOf(opened));
  }
  const { step } = opened;
  const facts = step && { action: actionOf(request, path, config), provider: providerOf(opened)?.id };
  if (facts) step("action started", facts);
  const { response, context } = await answer(request, opened, match, onError);
  if (facts) step("action finished", { ...facts, status: response.status });
  const written = context.written();
  if (written !== undefined) await written;
  return match.head ? new Response(null, { status: response.status, headers: response.headers }) : response;
}

/** The name of a matched action, for the log. */
function actionOf({ method }: IncomingRequest, path: string, { receivedPath }: ResolvedConfig): string {
  return `${method} ${path.slice(receivedPath.length + 1).split("/", 1)[0]}`;
}

/** Loaded with the first failure. */
const loadFailure = loadOnce(() => import("./answer-failure.ts"));
/** Loaded with the first POST, as only these have a body (decisions/012). */
const loadParser = loadOnce(() => import("./parse-body.ts"));
const loadCsrfCheck = loadOnce(() => import("./require-csrf.ts"));

/** Runs the action and writes its response; the only place that catches their errors. */
async function answer(
  request: IncomingRequest,
  opened: ActionContext,
  { route, head }: RouteMatch,
  onError: (error: AuthError) => void,
): Promise<{ response: Response; context: ActionContext }> {
  let context = opened;
  let hasRun = false;
  // A failed response issues no session.
  const write = (result: AuthResult, isCookieless = head) => toResponse(result, frameOf(context, isCookieless));
  try {
    if (request.method === "POST") {
      const { parseBody } = await loadParser();
      const parsed = await parseBody(request);
      context = { ...context, request: { ...context.request, ...parsed } };
      context.redactNamed(parsed.body);
    }
    if (needsCsrfToken(route, context)) {
      const { requireCsrf } = await loadCsrfCheck();
      await requireCsrf(context, originsOf(route, context.config, context.providerId));
    }
    const result = await handlerOf(route, context.config).run(context);
    // What `callbacks.session` or an extension returned may be something that cannot be written.
    hasRun = true;
    return { response: await write(result), context };
  } catch (thrown) {
    const { answerFailure } = await loadFailure();
    const writeFailure = (result: AuthResult) => write(result, head || hasRun);
    return { response: await answerFailure(thrown, context, route, { write: writeFailure, onError }), context };
  }
}

/**
 * Creates the context of a request.
 *
 * @throws UntrustedHost, InvalidHost.
 */
function createActionContext(
  request: IncomingRequest,
  url: URL,
  config: ResolvedConfig,
  match: RouteMatch,
): ActionContext {
  const { headers } = request;
  const method = match.head ? "HEAD" : request.method === "POST" ? "POST" : "GET";
  const flow = contextOfRequest(config, request);
  const seen = new URL(`${flow.origin}${url.pathname}${url.search}`);
  const unread = { method, url: seen, headers, body: new Map(), rawBody: undefined } as const;
  const query = queryOf(url);
  flow.redactNamed(query);
  return Object.assign(flow, { request: unread, query, providerId: match.providerId });
}

function frameOf(context: ActionContext, head = false) {
  const cookies = head ? [] : context.jar.list();
  const { theme, texts, redirectSchemes, origins } = context.config;
  const formTargets = [...redirectSchemes.map((scheme) => `${scheme}:`), ...origins];
  return { cookies, theme, texts, formTargets, origin: context.origin, returnRedirect: wantsUrl(context) };
}
