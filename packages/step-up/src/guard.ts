import { StepUpRequired, toBody } from "./required.ts";

/** The part of an Express request that is read. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly protocol?: string | undefined;
  readonly originalUrl?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The part of an Express response that is written. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body?: string): unknown;
}

/** What an operation reads of a request. */
export interface RequestParts {
  readonly url: string;
  readonly headers: Headers;
}

/** The request of Express as parts of a `Request`. */
export function partsOf({ protocol = "http", originalUrl, url = "/", headers }: NodeRequest): RequestParts {
  const list = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    return typeof value === "string" ? [[name, value]] : value.map((one) => [name, one]);
  });
  const host = headers.host;
  return {
    url: `${protocol}://${typeof host === "string" ? host : "localhost"}${originalUrl ?? url}`,
    headers: new Headers(list),
  };
}

/**
 * How a request is answered: a page that a browser visits or a form that it sends is redirected, everything else is a program. A form
 * is lost by it: after the proof the user is back on the page that sent it (303, so that nothing is repeated unseen).
 */
function redirectStatus(method: string, accept: string | null): 302 | 303 | null {
  if (accept?.includes("text/html") !== true) return null;
  return method === "GET" || method === "HEAD" ? 302 : 303;
}

const NO_STORE = "private, no-store";

/** The answer in place of a handler of `Request` and `Response`. */
export function toResponse(required: StepUpRequired, { method, headers: given }: Request): Response {
  const cache = { "cache-control": NO_STORE };
  const status = redirectStatus(method, given.get("accept"));
  if (status !== null) return new Response(null, { status, headers: { ...cache, location: required.url } });
  const headers = { ...cache, "www-authenticate": required.challenge };
  return Response.json(toBody(required), { status: 401, headers });
}

/** The answer in place of an Express handler. */
export function sendRequired(required: StepUpRequired, request: NodeRequest, response: NodeResponse): void {
  const { accept } = request.headers;
  const status = redirectStatus(request.method ?? "GET", typeof accept === "string" ? accept : null);
  response.setHeader("cache-control", NO_STORE);
  if (status !== null) {
    response.statusCode = status;
    response.setHeader("location", required.url);
    response.end();
    return;
  }
  response.statusCode = 401;
  response.setHeader("content-type", "application/json");
  response.setHeader("www-authenticate", required.challenge);
  response.end(JSON.stringify(toBody(required)));
}

/** Whether the session or the store cannot be asked now: neither yes nor no. */
function isUnavailable(error: unknown): boolean {
  return Object(error).type === "SessionUnavailable";
}

const AWAY = { message: "Temporarily unavailable." };
const RETRY_AFTER = "5";

/** 503 while nothing can be said. @throws every other error. */
export function unavailable(error: unknown): Response {
  if (!isUnavailable(error)) throw error;
  return Response.json(AWAY, { status: 503, headers: { "retry-after": RETRY_AFTER, "cache-control": NO_STORE } });
}

/** The same for Express; false for every other error. */
export function sendUnavailable(error: unknown, response: NodeResponse): boolean {
  if (!isUnavailable(error)) return false;
  response.statusCode = 503;
  response.setHeader("content-type", "application/json");
  response.setHeader("retry-after", RETRY_AFTER);
  response.setHeader("cache-control", NO_STORE);
  response.end(JSON.stringify(AWAY));
  return true;
}

/** Errors of any installed copy of the package. */
export function isStepUpRequired(error: unknown): error is StepUpRequired {
  return error instanceof StepUpRequired || Object(error).type === "StepUpRequired";
}
