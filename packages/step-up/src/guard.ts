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

/** Only a visit of a page is redirected: a POST that was redirected would be lost. */
function isVisit(method: string, accept: string | null): boolean {
  return (method === "GET" || method === "HEAD") && accept?.includes("text/html") === true;
}

/** The answer in place of a handler of `Request` and `Response`. */
export function toResponse(required: StepUpRequired, request: Request): Response {
  const cache = { "cache-control": "private, no-store" };
  if (isVisit(request.method, request.headers.get("accept"))) {
    return new Response(null, { status: 302, headers: { ...cache, location: required.url } });
  }
  const headers = { ...cache, "www-authenticate": required.challenge };
  return Response.json(toBody(required), { status: 401, headers });
}

/** The answer in place of an Express handler. */
export function sendRequired(required: StepUpRequired, request: NodeRequest, response: NodeResponse): void {
  const accept = request.headers.accept;
  response.setHeader("cache-control", "private, no-store");
  if (isVisit(request.method ?? "GET", typeof accept === "string" ? accept : null)) {
    response.statusCode = 302;
    response.setHeader("location", required.url);
    response.end();
    return;
  }
  response.statusCode = 401;
  response.setHeader("content-type", "application/json");
  response.setHeader("www-authenticate", required.challenge);
  response.end(JSON.stringify(toBody(required)));
}

/** Errors of any installed copy of the package. */
export function isStepUpRequired(error: unknown): error is StepUpRequired {
  return error instanceof StepUpRequired || Object(error).type === "StepUpRequired";
}
