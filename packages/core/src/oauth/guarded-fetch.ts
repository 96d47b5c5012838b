import type { AuthorizationServer } from "oauth4webapi";
import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { InvalidEndpoints, OAuthCallbackError } from "../model/errors.ts";
import type { OAuthProvider, TokenEndpointHandler } from "../model/oauth-provider.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import { parseUrl } from "../protocol/parse-url.ts";
import { checkReach } from "../protocol/provider-reach.ts";
import { findRepeatedMember, isJsonObject, quoteInexactNumbers, readBytes } from "../protocol/received-json.ts";

/** Requests to providers: the fetch that guards them, the texts of its responses, and what a provider's own hooks receive and return. */

/** How long a request to a provider may take (docs/behaviour.md#oauth). */
const PROVIDER_TIMEOUT_MS = 10_000;

/** Maximum size of a response in bytes (docs/behaviour.md#oauth). */
const RESPONSE_LIMIT = 1024 * 1024;

/** U+FEFF in UTF-8. Some parsers ignore it and some do not, so such JSON is ambiguous. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A request to a provider; absent members have the defaults of `fetch`. */
interface LimitedRequest {
  readonly method?: string;
  readonly headers?: HeadersInit;
  readonly body?: BodyInit | null | undefined;
  /** Aborts the request before its timeout. */
  readonly signal?: AbortSignal | null | undefined;
}

/** `fetch` within limits. */
export type GuardedFetch = (url: string, request: LimitedRequest) => Promise<Response>;

/**
 * Wraps `fetch` for requests to a provider.
 *
 * 1. The URL is one that may be requested: `requestOptions` and {@link hookFetch} check it (docs/behaviour.md#oauth).
 * 2. A GET follows as many redirects as it may, on the origin of the URL alone, with the same headers. Any other redirect is an error: the
 *    endpoint has moved, or was moved (ASVS 15.3.2).
 * 3. The complete response arrives within ten seconds, even if the given `fetch` ignores its abort signal.
 * 4. The response is at most 1 MiB, and JSON has no byte order mark (RFC 8259 §8.1).
 * 5. Integers in JSON that a double cannot represent exactly become strings (RFC 8259 §6).
 * 6. The response has the URL that was requested, for {@link callFacts}.
 *
 * @param redirects how many redirects it follows.
 */
export function guardFetch(fetchFunction: typeof fetch, redirects = 0): GuardedFetch {
  return async (url, { method = "GET", headers = {}, body = null, signal }) => {
    const abort = new AbortController();
    const signals = signal ? AbortSignal.any([abort.signal, signal]) : abort.signal;
    const init = { method, headers, body, redirect: "manual", signal: signals } as const;
    const send = async (at: string, left: number): Promise<Response> => {
      const response = await fetchFunction(at, init);
      const next = left > 0 && method === "GET" ? nextOf(response, at) : null;
      if (next === null) return readLimited(response, at);
      await response.body?.cancel();
      return send(next, left - 1);
    };
    const late = () => {
      const seconds = PROVIDER_TIMEOUT_MS / 1000;
      const error = new OAuthCallbackError(`The provider did not respond within ${seconds} seconds.`);
      abort.abort(error);
      return error;
    };
    return withTimeout(PROVIDER_TIMEOUT_MS, send(url, redirects), late);
  };
}

/** How many redirects discovery and userinfo requests follow (docs/behaviour.md#oauth). */
export const MAX_REDIRECTS = 2;

/** Where a redirect on the same origin leads (RFC 9110 §15.4); null for any other response. */
function nextOf({ status, headers }: Response, from: string): string | null {
  const location = [301, 302, 303, 307, 308].includes(status) ? headers.get("location") : null;
  const target = location === null ? null : parseUrl(location, from);
  if (target === null || target.username !== "" || target.password !== "") return null;
  return target.origin === new URL(from).origin ? target.href : null;
}

/** `fetch` for a provider's own requests (`token.request`, `userinfo.request`), with the same limits. */
export function hookFetch(provider: ResolvedOAuthProvider): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, headers } = request;
    const body = request.body === null ? null : await request.arrayBuffer();
    requireReach(provider, request.url);
    const answer = await guardFetch(provider.fetch())(request.url, { method, headers, body });
    await rejectRepeatedMembers(answer);
    return answer;
  };
}

/**
 * @throws OAuthCallbackError for a JSON response with a duplicate member: parsers disagree about its meaning (RFC 8259 §4).
 */
async function rejectRepeatedMembers(answer: Response): Promise<void> {
  if (findRepeatedMember(await textOf(answer)) === null) return;
  throw new OAuthCallbackError("The provider's response contains a duplicate member.");
}

/** @throws InvalidEndpoints if a configured URL, or one of the metadata that were admitted, must not be requested. */
export function requireReach(provider: ResolvedOAuthProvider, url: string): void {
  const fault = checkReach(provider, url, "configuration");
  if (fault === null) return;
  throw new InvalidEndpoints(`Provider "${provider.id}" must not be requested at this URL: ${fault}.`, {
    cause: { url },
  });
}

/** What the log has of a response: {@link callFacts}. */
export type CallFacts = Readonly<Record<string, unknown>>;

/** The URL of an endpoint without its query, which may contain secrets. */
const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, "");

/**
 * What the log needs of the response that made a call to a provider fail: the error and its description (RFC 6749 §5.2), the status and
 * the endpoint. oauth4webapi ignores the body if there is a challenge in `WWW-Authenticate`.
 *
 * @param error of oauth4webapi, which has the response.
 */
export async function callFacts(error: unknown): Promise<CallFacts> {
  const { response, cause } = Object(error);
  const answer: unknown = response ?? cause;
  return answer instanceof Response ? answerFacts(answer) : {};
}

/** The same of a response. */
export async function answerFacts(answer: Response): Promise<CallFacts> {
  const body = await jsonOf(answer);
  const { error, error_description: description } = isJsonObject(body) ? body : {};
  const endpoint = answer.url === "" ? undefined : withoutQuery(answer.url);
  return {
    ...(typeof error === "string" ? { error } : {}),
    ...(typeof description === "string" ? { description } : {}),
    status: answer.status,
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

async function readLimited(response: Response, url: string): Promise<Response> {
  if (response.status < 200 || response.status > 599 || (response.status > 300 && response.headers.has("location"))) {
    const cause = { status: response.status, endpoint: withoutQuery(url) };
    throw new OAuthCallbackError("The provider responded with a redirect, which is not followed.", { cause });
  }
  const reader = response.body?.getReader();
  const body = await readBytes(async () => reader?.read(), RESPONSE_LIMIT);
  if (body === null) {
    await reader?.cancel();
    throw new OAuthCallbackError(`The provider's response is larger than ${RESPONSE_LIMIT} bytes.`);
  }
  const { status, statusText, headers } = response;
  const isJson = headers.get("content-type")?.includes("json") === true;
  if (isJson && BYTE_ORDER_MARK.every((byte, at) => body[at] === byte)) {
    throw new OAuthCallbackError("The provider's response starts with a byte order mark, which JSON must not have.");
  }
  const init = { status, statusText, headers: withoutEncoding(headers) };
  if (status === 204 || status === 205 || status === 304) return new Response(null, init);
  // Any reader that calls `json()`, including a provider's hook, receives every digit of an id.
  const text = decoder.decode(body);
  const exact = quoteInexactNumbers(text);
  const answer = new Response(exact === text ? body : exact, init);
  return rememberText(Object.defineProperty(answer, "url", { value: url }), exact);
}

const decoder = new TextDecoder();

/** The bytes are already decoded. */
function withoutEncoding(headers: Headers): Headers {
  const plain = new Headers(headers);
  plain.delete("content-encoding");
  plain.delete("content-length");
  return plain;
}

/** Members of a token response that are not secret (RFC 6749 §5.1, §5.2), and other names of an error's description. */
const PUBLIC = new Set(["token_type", "scope", "error", "error_description", "error_uri", "message", "reason"]);

/** Texts of responses that have been read, so that the body stream is not cloned for each reader. */
const texts = new WeakMap<Response, string>();

/** Remembers the text from which a response was created. */
function rememberText(answer: Response, text: string): Response {
  texts.set(answer, text);
  return answer;
}

/** The body of a response; the response stays readable. */
export async function textOf(answer: Response): Promise<string> {
  return texts.get(answer) ?? answer.clone().text();
}

/** The body of a response as JSON; null if it is not JSON. */
export async function jsonOf(answer: Response): Promise<unknown> {
  const text = await textOf(answer).catch(() => "");
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The response with another body, as JSON; it keeps its URL, for {@link callFacts}. */
export function withBody(answer: Response, body: unknown): Response {
  const text = JSON.stringify(body);
  const changed = new Response(text, { headers: { "content-type": "application/json" } });
  return rememberText(Object.defineProperty(changed, "url", { value: answer.url }), text);
}

/**
 * Registers every text in a token response for redaction, before the response is validated: error messages quote rejected
 * values. A response that is not JSON may be a form, as some providers send it; otherwise it is a secret as a whole. Never
 * throws.
 */
export async function redactAnswer(answer: Response, redact: (value: string | undefined) => void): Promise<void> {
  const text = await textOf(answer).catch(() => "");
  const open: [string, unknown][] = [["", parse(text)]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, value] = next;
    if (PUBLIC.has(name)) continue;
    if (typeof value === "string") redact(value);
    else if (typeof value === "object" && value !== null) open.push(...Object.entries(value));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { text, ...Object.fromEntries(new URLSearchParams(text)) };
  }
}

/**
 * Lets a provider's `conform` correct a response. The hook receives a response whose long numbers are already strings.
 * If its result contains such a number, the hook has lost digits (RFC 8259 §6).
 *
 * @returns the original response if there is no hook, or if it returns nothing; otherwise the hook's, with the original's URL.
 * @throws OAuthCallbackError if the response has a duplicate member, or the hook returns something other than a response,
 *   or numbers that lost digits.
 */
export async function conformAnswer(given: Response, conform: TokenEndpointHandler["conform"]): Promise<Response> {
  await rejectRepeatedMembers(given);
  if (conform === undefined) return given;
  const conformed: unknown = await withTimeout(APPLICATION_TIMEOUT_MS, conform(given.clone()));
  if (conformed === undefined || conformed === null) return given;
  if (!(conformed instanceof Response)) throw new OAuthCallbackError("`conform` must return a Response or undefined.");
  const text = await conformed.clone().text();
  if (quoteInexactNumbers(text) === text)
    return rememberText(Object.defineProperty(conformed, "url", { value: given.url }), text);
  throw new OAuthCallbackError("The response returned by `conform` contains a number that lost digits.");
}

/**
 * The provider that its own hooks (`token.request`, `userinfo.request`) receive: as configured, but with the endpoints that would be
 * requested without the hook. As in Auth.js, their URLs contain the `params`, so that a hook that uses `userinfo.url` sends those of
 * the application.
 */
export function hookProvider(
  { source, token, userinfo }: ResolvedOAuthProvider,
  { token_endpoint, userinfo_endpoint }: AuthorizationServer,
): OAuthProvider {
  return {
    ...source,
    token: { ...token, url: token_endpoint && endpointUrl(token_endpoint, token.params) },
    userinfo: { ...userinfo, url: userinfo_endpoint && endpointUrl(userinfo_endpoint, userinfo.params) },
  };
}

/** The URL of an endpoint with its `params`. */
export function endpointUrl(endpoint: string, params: Readonly<Record<string, string>>): URL {
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url;
}
