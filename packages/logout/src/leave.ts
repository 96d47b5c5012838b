import {
  type ActionAnswer,
  type ActionRequest,
  components,
  type EndedSession,
  html,
  type ProviderTools,
  type RequestTools,
  type SessionOrigin,
  type SignOutAnswer,
} from "@cardea/extend";
import { passOnTokens, takeTokens } from "./kept-tokens.ts";
import { type LogoutOptions, TEXTS } from "./settings.ts";

/** How long a user may stay on the provider's page, in seconds. */
const STAY = 15 * 60;

/**
 * Longer hints are sent as a form, because servers and proxies reject long URLs (RFC 9110 §4.1 recommends 8000 octets;
 * many support less).
 */
const MAX_HINT = 2048;

const COOKIE = "signed-out";
const USE = "leave";

/** Query parameter for the form page. Not a path segment, because a provider may have any id. */
const FORM = "form";

/**
 * Redirects the browser to the provider that its session came from, after the session ended locally (OIDC RP-Initiated
 * Logout §2).
 *
 * 1. Only after a sign-out, and only if the session came from a provider. A session that replaces another one, for
 *    example after an account was linked, keeps its tokens if it came from the same account.
 * 2. Revokes the tokens configured for revocation. Failures are logged, because the local session has already ended.
 * 3. If the provider metadata is unavailable or announces no endpoint, the sign-out is only local.
 */
export async function leave(
  ended: EndedSession,
  t: RequestTools,
  { provider: when = "when-announced", revoke = [] }: LogoutOptions,
): Promise<SignOutAnswer | undefined> {
  if (ended.cause === "replaced") {
    await passOnTokens(ended, t);
    return undefined;
  }
  const kept = await takeTokens(t, ended.sid);
  const origin = (await ended.facts())?.idp;
  const tools = origin === undefined ? null : await t.provider(origin.provider);
  if (origin === undefined || tools === null) return undefined;
  try {
    const token = kept.refreshToken ?? kept.accessToken;
    const hint = kept.refreshToken === undefined ? "access_token" : "refresh_token";
    if (token !== undefined && revoke.includes(origin.provider)) await tools.revoke(token, hint);
    const isWanted = ended.federated ?? when === "when-announced";
    const endpoint = isWanted ? (await tools.metadata()).endSessionEndpoint : undefined;
    if (endpoint === undefined) return undefined;
    const params = await paramsOf(t, ended, origin, tools, kept.idToken);
    return { redirect: await toRedirect(t, origin.provider, endpoint, params) };
  } catch (error) {
    t.logger.warn(`logout-local-only: the session at provider "${origin.provider}" was not ended:`, error);
    return undefined;
  }
}

/**
 * OIDC RP-Initiated Logout §2, unless the provider has its own parameters, without `state`. Without an ID token, the client and the user are
 * sent instead.
 */
async function paramsOf(
  t: RequestTools,
  { callbackUrl }: EndedSession,
  { provider, sub }: SessionOrigin,
  { clientId, endSessionParams }: ProviderTools,
  idToken: string | undefined,
): Promise<Readonly<Record<string, string>>> {
  const returnTo = `${t.baseUrl}/signedout/${provider}`;
  const own = endSessionParams(returnTo);
  const state = own === undefined ? t.randomId() : "";
  await t.cookies.write(COOKIE, { state, provider, to: callbackUrl ?? "" }, STAY);
  if (own !== undefined) return own;
  return {
    ...(idToken === undefined ? { logout_hint: sub } : { id_token_hint: idToken }),
    client_id: clientId,
    post_logout_redirect_uri: returnTo,
    state,
  };
}

async function toRedirect(
  t: RequestTools,
  provider: string,
  endpoint: string,
  params: Readonly<Record<string, string>>,
): Promise<URL> {
  const hint = params.id_token_hint ?? "";
  if (hint.length > MAX_HINT) return toForm(t, provider, endpoint, params);
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url;
}

/** Redirects to our own page, which posts the parameters. They are stored under a random id. */
async function toForm(
  t: RequestTools,
  provider: string,
  endpoint: string,
  params: Readonly<Record<string, string>>,
): Promise<URL> {
  const id = t.randomId();
  const sealed = await t.seal({ ...params, endpoint }, USE, STAY);
  await t.store?.set(await t.permanentKey("leave", id), sealed, { ttl: STAY });
  await t.cookies.write("leave", { id }, STAY);
  return new URL(`${t.baseUrl}/signedout/${provider}?${FORM}`);
}

/**
 * GET `signedout/{provider}`: the browser returns from the provider. If `state` matches the encrypted cookie, or both lack it, redirects
 * to the target of the sign-out, otherwise to the base URL of the application. Ends no session. With the query `form`,
 * renders the form for the provider.
 */
export async function signedOut(action: ActionRequest, t: RequestTools, options: LogoutOptions): Promise<ActionAnswer> {
  if (action.query.has(FORM)) return leavePage(t, options);
  const waiting = await t.cookies.read(COOKIE);
  const isMatch =
    waiting !== null && waiting.provider === action.segment && waiting.state === (action.query.get("state") ?? "");
  if (isMatch) t.cookies.clear(COOKIE);
  return { kind: "redirect", url: await action.redirectTo(isMatch ? waiting.to : null) };
}

async function leavePage(t: RequestTools, { texts }: LogoutOptions): Promise<ActionAnswer> {
  const waiting = await t.cookies.read("leave");
  t.cookies.clear("leave");
  const key = await t.permanentKey("leave", waiting?.id ?? "");
  const sealed = waiting?.id === undefined ? null : ((await t.store?.get(key)) ?? null);
  const opened = sealed === null ? null : await t.open(sealed, USE);
  if (sealed !== null) await t.store?.swap(key, sealed, null, { ttl: null });
  if (opened === null) return { kind: "redirect", url: t.origin };
  const { endpoint = "", ...params } = opened;
  const { title, lead, submit } = { ...TEXTS, ...texts };
  const content = components.button({ label: submit, kind: "main" });
  const main = html`${components.lead(lead)}${components.form({ action: endpoint, hidden: params, content })}`;
  return { kind: "page", status: 200, title, main };
}
