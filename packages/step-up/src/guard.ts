import type { NodeRequest } from "@cardea/extend";
import { StepUpRequired, toBody } from "./required.ts";

/** The part of an Express response that is used. */
export interface NodeResponse {
  /** The HTTP status. */
  statusCode: number;
  /** Sets a header, replacing an earlier value. */
  setHeader(name: string, value: string): unknown;
  /** Sends the response. */
  end(body?: string): unknown;
}

/**
 * The redirect status for page visits and form submissions; all other requests come from programs. The form data is
 * lost: after the proof, the user returns to the page with the form (303, so that nothing is resubmitted unnoticed).
 */
function redirectStatus(method: string, accept: string | null): 302 | 303 | null {
  if (accept?.includes("text/html") !== true) return null;
  return method === "GET" || method === "HEAD" ? 302 : 303;
}

/** They depend on the session, and the URL of the request may contain a token. */
const PRIVATE = { "cache-control": "private, no-store", "referrer-policy": "no-referrer" };

/** The response returned instead of calling a Fetch API handler. */
export function toResponse(required: StepUpRequired, { method, headers: given }: Request): Response {
  const status = redirectStatus(method, given.get("accept"));
  if (status !== null) return new Response(null, { status, headers: { ...PRIVATE, location: required.url } });
  const headers = { ...PRIVATE, "www-authenticate": required.challenge };
  return Response.json(toBody(required), { status: 401, headers });
}

/** The response sent instead of calling an Express handler. */
export function sendRequired(required: StepUpRequired, request: NodeRequest, response: NodeResponse): void {
  const { accept } = request.headers;
  const status = redirectStatus(request.method ?? "GET", typeof accept === "string" ? accept : null);
  setHeaders(response, PRIVATE);
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

function setHeaders(response: NodeResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** Responses to errors that the application cannot prevent, by type. */
const FAILURES: ReadonlyMap<unknown, { status: number; message: string; headers?: Readonly<Record<string, string>> }> =
  new Map([
    // The session or the store.
    ["SessionUnavailable", { status: 503, message: "Temporarily unavailable.", headers: { "retry-after": "5" } }],
    // Visitors control the headers.
    ["InvalidHost", { status: 400, message: "The host of this request is invalid." }],
    ["InvalidRequest", { status: 400, message: "The content to confirm is invalid." }],
  ]);

/** Returns 503 if the session is unavailable, 400 if the host or the content is malformed. @throws any other error. */
export function failed(error: unknown): Response {
  const failure = FAILURES.get(Object(error).type);
  if (failure === undefined) throw error;
  const { status, message, headers } = failure;
  return Response.json({ message }, { status, headers: { ...PRIVATE, ...headers } });
}

/** The same for Express; returns false for any other error. */
export function sendFailed(error: unknown, response: NodeResponse): boolean {
  const failure = FAILURES.get(Object(error).type);
  if (failure === undefined) return false;
  response.statusCode = failure.status;
  setHeaders(response, { ...PRIVATE, ...failure.headers, "content-type": "application/json" });
  response.end(JSON.stringify({ message: failure.message }));
  return true;
}

/** Recognizes errors from any installed copy of the package. */
export function isStepUpRequired(error: unknown): error is StepUpRequired {
  return error instanceof StepUpRequired || Object(error).type === "StepUpRequired";
}
