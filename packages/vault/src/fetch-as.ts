import { type Handled, handleOf, isSecureUrl, type ProviderTools } from "@cardea/extend";
import { findSettings } from "./find-home.ts";
import { type TokenRequest, tokenOf } from "./token-of.ts";

/** How many redirects within the allowed origins are followed. */
const MAX_REDIRECTS = 5;

/** Redirect statuses for a GET. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** `fetch` with an access token. */
export type FetchAs = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Calls the API of a provider on behalf of a user. The token is sent only over https and only to the origins listed in
 * the provider's `apis`, including after redirects. After a 401, the token is refreshed and the request is repeated
 * once, if its body can be sent again.
 *
 * @throws TypeError for any other origin; otherwise like `tokenOf`.
 */
export function fetchAs(auth: Handled, provider: string, request: TokenRequest): FetchAs {
  return async (input, init = {}) => {
    const tools = await handleOf(auth, "vault").tools();
    const origins = findSettings(tools).apisOf(provider);
    const url = requireAllowed(new URL(input), origins, provider);
    const first = await tokenOf(auth, provider, request);
    const called = await tools.provider(provider);
    if (called === null) throw new TypeError(`vault: no OAuth or OpenID Connect provider "${provider}" is configured.`);
    const to = { tools: called, origins, provider };
    const answer = await send(url, init, first.accessToken, to);
    if (answer.status !== 401 || !isRepeatable(init.body)) return answer;
    await answer.body?.cancel();
    const second = await tokenOf(auth, provider, { ...request, refused: first.accessToken });
    return send(url, init, second.accessToken, to);
  };
}

/** A permitted recipient of a token. */
interface Target {
  readonly tools: ProviderTools;
  readonly origins: readonly string[];
  readonly provider: string;
}

/** If the body cannot be sent again, the API's 401 response is returned. */
async function present(tools: ProviderTools, accessToken: string, url: URL, init: RequestInit): Promise<Response> {
  let sent: Response | undefined;
  const send = async (headers: Record<string, string>) => {
    if (sent !== undefined && !isRepeatable(init.body)) return sent;
    sent = await fetch(url, { ...init, headers, redirect: "manual" });
    return sent;
  };
  return tools.present(accessToken, { url, method: init.method ?? "GET", headers: new Headers(init.headers), send });
}

async function send(
  url: URL,
  init: RequestInit,
  accessToken: string,
  { tools, origins, provider }: Target,
): Promise<Response> {
  // An error thrown by `Headers` would contain the token (RFC 6750 §2.1 allows fewer characters).
  if (!/^[\x20-\x7e]+$/.test(accessToken)) {
    throw new TypeError(
      `vault: the access token of "${provider}" contains characters that are not allowed in a header.`,
    );
  }
  let target = url;
  for (let n = 0; n <= MAX_REDIRECTS; n++) {
    const answer = await present(tools, accessToken, target, init);
    const method = (init.method ?? "GET").toUpperCase();
    const location = answer.headers.get("location");
    if (answer.type === "opaqueredirect") throw offLimits(provider, "an invalid redirect");
    if (!REDIRECTS.has(answer.status) || location === null || (method !== "GET" && method !== "HEAD")) return answer;
    await answer.body?.cancel();
    target = requireAllowed(new URL(location, target), origins, provider);
  }
  throw offLimits(provider, "too many redirects");
}

/** Whether a body can be sent again. Streams and generators can be read only once. */
function isRepeatable(body: unknown): boolean {
  const isBytes = body instanceof ArrayBuffer || ArrayBuffer.isView(body);
  const isForm = body instanceof URLSearchParams || body instanceof FormData || body instanceof Blob;
  return typeof body === "string" || isBytes || isForm || (body ?? null) === null;
}

function requireAllowed(url: URL, origins: readonly string[], provider: string): URL {
  if (isSecureUrl(url.href) && origins.includes(url.origin) && url.username === "" && url.password === "") return url;
  throw offLimits(provider, url.origin);
}

function offLimits(provider: string, what: string): TypeError {
  return new TypeError(
    `vault: tokens of "${provider}" are not sent to ${what}. List the origin in \`providers.${provider}.apis\`.`,
  );
}
