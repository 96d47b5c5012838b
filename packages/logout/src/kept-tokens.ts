import type { GrantedTokens, RequestTools, Tools } from "@cardea/core/extend";

/** What the end of a session at its provider takes. */
export interface KeptTokens {
  readonly idToken: string | undefined;
  /** To be revoked at sign-out. */
  readonly refreshToken: string | undefined;
  readonly accessToken: string | undefined;
}

const NONE: KeptTokens = { idToken: undefined, refreshToken: undefined, accessToken: undefined };
const USE = "session";

/** Keeps the ID token of a session, and what is revoked with it, sealed in the store; without a store nothing. */
export async function keepTokens(
  { tokens, sid, account }: GrantedTokens,
  t: RequestTools,
  revoked: readonly string[],
): Promise<void> {
  if (t.store === undefined) return;
  const { id_token = "", refresh_token = "", access_token = "" } = tokens;
  const isRevoked = account.type === "oauth" && revoked.includes(account.provider);
  const kept = {
    sid,
    idToken: id_token,
    ...(isRevoked ? { refreshToken: refresh_token, accessToken: access_token } : {}),
  };
  if (id_token === "" && !isRevoked) return;
  const sealed = await t.seal(kept, USE, t.sessionLife);
  await t.store.set(await t.permanentKey("tokens", sid), sealed, { ttl: t.sessionLife });
}

/** Takes what was kept of a session; nothing of it is left. */
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

/** A session that is renewed keeps its tokens as long. */
export async function prolongTokens(t: Tools, sid: string): Promise<void> {
  if (t.store === undefined) return;
  const key = await t.permanentKey("tokens", sid);
  const sealed = await t.store.get(key);
  const kept = sealed === null ? null : await t.open(sealed, USE);
  if (sealed === null || kept === null) return;
  await t.store.swap(key, sealed, await t.seal(kept, USE, t.sessionLife), { ttl: t.sessionLife });
}
