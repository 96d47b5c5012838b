import type { Probe, ProbedResponse } from "./facts.ts";

/** A server that has not answered by then does not. */
const TIMEOUT_MS = 5_000;

/** So many that a balancer of two sides reaches both. */
const MIXED_REQUESTS = 12;

/**
 * Asks the running application, as a visitor: GET `session` and `providers`, and the discovery documents of these issuers.
 *
 * @param isMixed whether Auth.js runs beside it: asks `csrf` several times to see who answers.
 * @param url the application, with the path of its actions, such as `https://app.example.com/api/auth`.
 */
export async function sendProbe(
  url: URL,
  issuers: readonly string[],
  send: typeof fetch = fetch,
  isMixed = false,
): Promise<Probe> {
  const at = Date.now();
  const base = url.href.replace(/\/$/, "");
  const [session, providers, ...documents] = await Promise.all(
    [
      `${base}/session`,
      `${base}/providers`,
      ...issuers.map((issuer) => `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`),
    ].map((target) => get(target, send)),
  );
  // One after the other: a balancer takes turns.
  const mixed: ProbedResponse[] = [];
  for (let n = 0; isMixed && n < MIXED_REQUESTS; n++)
    mixed.push(...[await get(`${base}/csrf`, send)].flatMap((one) => one ?? []));
  return {
    url,
    at,
    ...(isMixed ? { mixed } : {}),
    session,
    providers,
    discovery: new Map(issuers.map((issuer, index) => [issuer, documents[index]])),
  };
}

async function get(url: string, send: typeof fetch): Promise<ProbedResponse | undefined> {
  try {
    const response = await send(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    const headers = new Map([...response.headers].map(([name, value]) => [name.toLowerCase(), value]));
    return { status: response.status, headers, cookies: response.headers.getSetCookie(), text: await response.text() };
  } catch {
    // No answer is a finding of its own.
    return undefined;
  }
}
