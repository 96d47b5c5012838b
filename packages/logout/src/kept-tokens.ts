import {
  decodeBase64url,
  type EndedSession,
  type GrantedTokens,
  type RequestTools,
  type SessionOrigin,
  type Tools,
} from "@cardea/extend";

/** The tokens needed to end a session at its provider. */
export interface KeptTokens {
  readonly idToken: string | undefined;
  /** Refresh token to revoke at sign-out. */
  readonly refreshToken: string | undefined;
  readonly accessToken: string | undefined;
}

const NONE: KeptTokens = { idToken: undefined, refreshToken: undefined, accessToken: undefined };
const USE = "session";

/**
 * Stores the ID token of a session, and the token to revoke, encrypted. Does nothing without a store. Tokens of an
 * account that was linked later are not stored: the sign-out goes to the provider that the session came from, which
 * must not receive them.
 */
export async function keepTokens(granted: GrantedTokens, t: RequestTools, revoked: readonly string[]): Promise<void> {
  if (t.store === undefined || !isOrigin(granted)) return;
  const { tokens, sid, account } = granted;
  const { id_token = "", refresh_token = "", access_token = "" } = tokens;
  const isRevoked = account.type === "oauth" && revoked.includes(account.provider);
  const kept = {
    sid,
    idToken: id_token,
    ...(isRevoked ? { refreshToken: refresh_token, accessToken: access_token } : {}),
  };
  if (id_token === "" && !isRevoked) return;
  await storeTokens(t, sid, kept);
}

async function storeTokens(t: Tools, sid: string, kept: Readonly<Record<string, string>>): Promise<void> {
  const sealed = await t.seal(kept, USE, t.sessionLife);
  await t.store?.set(await t.permanentKey("tokens", sid), sealed, { ttl: t.sessionLife });
}

/** Whether a session came from the account that the tokens were granted for. The ID token was verified at sign-in. */
function isOrigin({ facts: { idp }, account, tokens }: GrantedTokens): boolean {
  if (idp?.provider !== account.provider) return false;
  return idp.sub === account.providerAccountId || idp.sub === subjectOf(tokens.id_token);
}

function subjectOf(idToken: string | undefined): unknown {
  try {
    const bytes = decodeBase64url(idToken?.split(".")[1] ?? "");
    return bytes === null ? undefined : Object(JSON.parse(new TextDecoder().decode(bytes))).sub;
  } catch {
    return undefined; // an encrypted ID token, or a token of a plain OAuth 2.0 provider
  }
}

/** Removes and returns the stored tokens of a session. */
export async function takeTokens(t: Tools, sid: string): Promise<KeptTokens> {
  if (t.store === undefined) return NONE;
  const key = await t.permanentKey("tokens", sid);
  const sealed = await t.store.get(key);
  const kept = sealed === null ? null : await t.open(sealed, USE);
  if (sealed !== null) await t.store.swap(key, sealed, null, { ttl: null });
  if (kept === null || kept.sid !== sid) return NONE;
  const { idToken, refreshToken, accessToken } = kept;
  return {
    idToken: idToken || undefined,
    refreshToken: refreshToken || undefined,
    accessToken: accessToken || undefined,
  };
}

/**
 * Moves the tokens of a replaced session to its successor if both came from the same account; otherwise deletes them.
 * Never throws: without the ID token, the logout request names the user instead.
 */
export async function passOnTokens({ sid, facts, successor }: EndedSession, t: RequestTools): Promise<void> {
  try {
    const { idToken = "", refreshToken, accessToken } = await takeTokens(t, sid);
    const isKept = idToken !== "" || refreshToken !== undefined || accessToken !== undefined;
    if (!isKept || successor === undefined || !isSameOrigin((await facts())?.idp, successor.idp)) return;
    const revoked = {
      ...(refreshToken === undefined ? {} : { refreshToken }),
      ...(accessToken === undefined ? {} : { accessToken }),
    };
    await storeTokens(t, successor.sid, { sid: successor.sid, idToken, ...revoked });
  } catch (error) {
    t.logger.warn("logout-tokens-lost: the tokens of a replaced session could not be moved to its successor:", error);
  }
}

function isSameOrigin(one: SessionOrigin | undefined, other: SessionOrigin | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return (["provider", "iss", "sub", "sid"] as const).every((member) => one[member] === other[member]);
}

/** Extends the lifetime of the stored tokens when their session is renewed. */
export async function prolongTokens(t: Tools, sid: string): Promise<void> {
  if (t.store === undefined) return;
  const key = await t.permanentKey("tokens", sid);
  const sealed = await t.store.get(key);
  const kept = sealed === null ? null : await t.open(sealed, USE);
  if (sealed === null || kept === null) return;
  await t.store.swap(key, sealed, await t.seal(kept, USE, t.sessionLife), { ttl: t.sessionLife });
}
