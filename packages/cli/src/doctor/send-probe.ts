import { parseUrl } from "../parse-url.ts";
import type { Probe, ProbedEnding, ProbedPage, ProbedResponse } from "./facts.ts";

/** Response timeout. An application that starts with its first request takes seconds. */
const TIMEOUT_MS = 20_000;

/** The default paths of the framework adapters, for a URL without a path. */
const USUAL_PATHS = ["/auth", "/api/auth"];

/** Enough requests to reach both sides behind a load balancer. */
const MIXED_REQUESTS = 12;

/** A provider configured in the environment: `AUTH_{NAME}_ISSUER` and `AUTH_{NAME}_ID`. */
interface ProbedProvider {
  readonly id: string;
  readonly issuer: string;
  readonly clientId: string | undefined;
}

/** What to request in addition to the actions `session` and `providers`. */
export interface ProbeOptions {
  readonly providers: readonly ProbedProvider[];
  readonly send?: typeof fetch;
  /** Whether Auth.js runs alongside: requests `csrf` several times to see which side responds. */
  readonly isMixed?: boolean;
  /**
   * Whether sign-out also ends provider sessions: checks, without a session, whether providers accept the post-logout
   * redirect URI.
   */
  readonly hasLogout?: boolean;
  /** Whether passkeys are used on several domains. */
  readonly hasRelatedOrigins?: boolean;
  /** The origin of a page that uses the endpoints from another origin. */
  readonly page?: string | undefined;
}

/**
 * Probes the running application as a visitor: GET `session` and `providers`, and the discovery documents of the
 * providers.
 *
 * @param given URL of the application with the base path, such as `https://app.example.com/api/auth`. Without a path, the
 *   usual ones are tried first.
 */
export async function sendProbe(
  given: URL,
  { providers: known, send = fetch, isMixed = false, hasLogout = false, hasRelatedOrigins = false, page }: ProbeOptions,
): Promise<Probe> {
  const at = Date.now();
  const issuers = known.map(({ issuer }) => issuer);
  const url = await findBase(given, send);
  const base = url.href.replace(/\/$/, "");
  const [session, providers, ...documents] = await Promise.all(
    [
      `${base}/session`,
      `${base}/providers`,
      ...issuers.map((issuer) => `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`),
    ].map((target) => get(target, send)),
  );
  // Sequential, because load balancers alternate.
  const mixed: ProbedResponse[] = [];
  for (let n = 0; isMixed && n < MIXED_REQUESTS; n++)
    mixed.push(...[await get(`${base}/csrf`, send)].flatMap((one) => one ?? []));
  const discovery = new Map(issuers.map((issuer, index) => [issuer, documents[index]]));
  return {
    url,
    at,
    ...(hasLogout ? { endings: await probeEndings(known, discovery, providers, send) } : {}),
    ...(isMixed ? { mixed } : {}),
    ...(hasRelatedOrigins ? { relatedOrigins: await get(`${url.origin}/.well-known/webauthn`, send) } : {}),
    ...(page === undefined ? {} : { page: await probePage(page, `${base}/session`, send) }),
    session,
    providers,
    discovery,
  };
}

/** What a browser sends for a page of another origin (Fetch §3.2). */
async function probePage(origin: string, url: string, send: typeof fetch): Promise<ProbedPage> {
  const read = await get(url, send, { headers: { origin } });
  const headers = { origin, "access-control-request-method": "POST" };
  return { origin, read, preflight: await get(url, send, { method: "OPTIONS", headers }) };
}

/** The URL below which the action `session` answers with JSON; the given one if there is none. */
async function findBase(given: URL, send: typeof fetch): Promise<URL> {
  if (given.pathname !== "/") return given;
  const tried = USUAL_PATHS.map(async (path) => {
    const url = new URL(path, given);
    const answer = await get(`${url.href}/session`, send);
    const isJson = answer?.headers.get("content-type")?.startsWith("application/json") === true;
    return isJson && answer.status !== 404 ? [url] : [];
  });
  return (await Promise.all(tried)).flat()[0] ?? given;
}

/** OIDC RP-Initiated Logout §2: without and with the redirect URI, to detect errors caused by the URI. */
async function probeEndings(
  known: readonly ProbedProvider[],
  discovery: Probe["discovery"],
  listed: ProbedResponse | undefined,
  send: typeof fetch,
): Promise<ReadonlyMap<string, ProbedEnding>> {
  const asked = known.map(async ({ id, issuer, clientId }) => {
    const endpoint = parseUrl(textIn(discovery.get(issuer), "end_session_endpoint"));
    const uri = callbackOf(listed, id)?.replace(/\/callback\/([^/]+)$/, "/signedout/$1");
    if (endpoint === null || uri === undefined || clientId === undefined) return [];
    endpoint.searchParams.set("client_id", clientId);
    const without = await get(endpoint.href, send);
    endpoint.searchParams.set("post_logout_redirect_uri", uri);
    return [[issuer, { uri, without, returning: await get(endpoint.href, send) }] as const];
  });
  return new Map((await Promise.all(asked)).flat());
}

/** A member of a JSON response as a string; empty if missing. */
function textIn(response: ProbedResponse | undefined, name: string): string {
  const [, text = ""] = new RegExp(`"${name}"\\s*:\\s*"([^"]+)"`).exec(response?.text ?? "") ?? [];
  return text.replaceAll("\\/", "/");
}

/** The callback URL of a provider, from the response of the action `providers`. */
function callbackOf(listed: ProbedResponse | undefined, id: string): string | undefined {
  const urls = [...(listed?.text ?? "").matchAll(/"callbackUrl"\s*:\s*"([^"]+)"/g)].map(([, url = ""]) => url);
  return urls.find((url) => url.endsWith(`/callback/${id}`) && parseUrl(url) !== null);
}

async function get(url: string, send: typeof fetch, init: RequestInit = {}): Promise<ProbedResponse | undefined> {
  try {
    const response = await send(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    const headers = new Map([...response.headers].map(([name, value]) => [name.toLowerCase(), value]));
    return { status: response.status, headers, cookies: response.headers.getSetCookie(), text: await response.text() };
  } catch {
    // A missing response is reported separately.
    return undefined;
  }
}
