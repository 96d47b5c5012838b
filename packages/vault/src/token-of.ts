import { type Handled, handleOf } from "@cardea/extend";
import { type Found, findHome, type TokenOwner } from "./find-home.ts";
import type { Home } from "./home.ts";
import { ReauthRequired } from "./reauth-required.ts";
import { RefreshFailed, refresh } from "./refresh.ts";
import type { KeptTokens, ReauthCause } from "./tokens.ts";

/** The owner of the token, and its requirements. */
export type TokenRequest = TokenOwner & {
  /** Scopes that the token must have. */
  readonly scopes?: readonly string[] | undefined;
  /** An access token that the provider's API rejected and that must be replaced. */
  readonly refused?: string | undefined;
};

/** An access token. */
export interface AccessToken {
  /** Bearer token for the provider's API (RFC 6750 §2.1). */
  readonly accessToken: string;
  /** Expiry in seconds since the epoch; undefined if the provider did not report it. */
  readonly expiresAt: number | undefined;
  /** The granted scope, if known. */
  readonly scope: string | undefined;
}

/** Running refreshes, by application and location. */
const underWay = new WeakMap<object, Map<string, Promise<KeptTokens>>>();

/**
 * Returns a valid access token of a provider. Refreshes it if necessary, once across all servers.
 *
 * @param auth The result of `createAuth`, or its `auth`.
 * @throws ReauthRequired if the user must consent again; RefreshFailed if the token has expired and the provider is
 * unavailable; AccessDenied if no one is signed in; SessionUnavailable.
 */
export async function tokenOf(auth: Handled, provider: string, request: TokenRequest): Promise<AccessToken> {
  const found = await findHome(handleOf(auth, "vault"), provider, request);
  try {
    return await tokenFrom(found, provider, request);
  } finally {
    found.finish();
  }
}

async function tokenFrom(found: Found, provider: string, request: TokenRequest): Promise<AccessToken> {
  const { t, home, settings } = found;
  if (home === null) throw await reauth(found, provider, "not-linked", request.scopes);
  const { refused, scopes = [] } = request;
  const now = t.now();
  const lasts = ({ accessToken, expiresAt }: KeptTokens, seconds: number) =>
    accessToken !== undefined && accessToken !== refused && (expiresAt === undefined || expiresAt - now > seconds);
  const { tokens: known } = await home.read();
  await requireScopes(found, provider, known, scopes);
  const isEnough = (tokens: KeptTokens) => lasts(tokens, settings.minTtl);
  const canRefresh = settings.refreshes(provider) && known.refreshToken !== undefined;
  const tokens =
    isEnough(known) || !canRefresh
      ? known
      : await share(t.application, home, () => refreshFrom(found, provider, home, isEnough)).catch((error: unknown) => {
          if (lasts(known, 0)) return known;
          throw error;
        });
  if (tokens.accessToken !== undefined && lasts(tokens, 0)) {
    await requireScopes(found, provider, tokens, scopes);
    return { accessToken: tokens.accessToken, expiresAt: tokens.expiresAt, scope: tokens.scope };
  }
  if (tokens.refreshToken !== undefined && settings.refreshes(provider)) {
    throw new RefreshFailed(`The access tokens of provider "${provider}" expire immediately.`);
  }
  throw await reauth(found, provider, tokens.gone ?? "missing", scopes, tokens.scope);
}

/** Shares one refresh among all calls of this process. One that can write nothing is joined by no other. */
function share(application: object, { name, isReadOnly }: Home, work: () => Promise<KeptTokens>): Promise<KeptTokens> {
  const running = underWay.get(application) ?? new Map<string, Promise<KeptTokens>>();
  underWay.set(application, running);
  const known = running.get(name);
  if (known !== undefined) return known;
  if (isReadOnly === true) return work();
  const started = work().finally(() => running.delete(name));
  running.set(name, started);
  return started;
}

async function refreshFrom(
  { t }: Found,
  id: string,
  home: Home,
  isEnough: (tokens: KeptTokens) => boolean,
): Promise<KeptTokens> {
  const provider = await t.provider(id);
  if (provider === null) throw new TypeError(`vault: no OAuth or OpenID Connect provider "${id}" is configured.`);
  if (home.isReadOnly === true) {
    throw new RefreshFailed(
      "Tokens in a cookie can be refreshed only if the response `headers` are passed, or with a `store`.",
    );
  }
  try {
    return await refresh(t, home, provider, isEnough);
  } catch (error) {
    if (error instanceof RefreshFailed) throw error;
    throw new RefreshFailed(`The tokens of provider "${id}" could not be refreshed.`, { cause: error });
  }
}

/** If the response contained no scope, the configured one was granted (RFC 6749 §5.1). */
async function requireScopes(
  found: Found,
  provider: string,
  tokens: KeptTokens,
  scopes: readonly string[],
): Promise<void> {
  if (scopes.length === 0) return;
  const scope = tokens.scope ?? (await found.t.provider(provider))?.scope;
  const granted = new Set(scope?.split(/[\s,]+/));
  if (scopes.every((one) => granted.has(one))) return;
  throw await reauth(found, provider, "scope", scopes, tokens.scope);
}

/** Also requests the scopes granted before, so that none is lost. */
async function reauth(
  { t, home, baseUrl }: Found,
  provider: string,
  cause: ReauthCause,
  scopes: readonly string[] = [],
  granted = "",
): Promise<ReauthRequired> {
  const configured = (await t.provider(provider))?.scope ?? "";
  const all = [configured, granted, ...scopes].flatMap((text) => text.split(/[\s,]+/)).filter((one) => one !== "");
  const scope = [...new Set(all)].join(" ");
  const params = { ...(scope === "" ? {} : { scope }), prompt: "consent" };
  const url =
    baseUrl === undefined
      ? undefined
      : `${baseUrl}/signin/${encodeURIComponent(provider)}?${new URLSearchParams(params)}`;
  return new ReauthRequired(cause, { provider, params, url }, home?.key.account);
}
