import { isSameId, retryChange, type Tools } from "@cardea/extend";
import { type AccountKey, type Home, put, type Reading } from "./home.ts";
import { rowHome } from "./row-home.ts";
import { isSealed } from "./sealing.ts";
import type { Settings } from "./settings.ts";
import { requireStore, storeHome } from "./store-home.ts";
import { NO_TOKENS, textOf } from "./tokens.ts";

/**
 * Where an application stores tokens. `row`: with the account. `store`: in the store, because the database adapter
 * cannot. The others store tokens per session.
 */
export type Keeping = "row" | "store" | "session-store" | "cookie";

/** Chooses the location from the adapter and the store. */
export function keepingOf(t: Tools): Keeping {
  if (!t.adapterHas("getUserByAccount")) return t.store === undefined ? "cookie" : "session-store";
  return t.adapterHas("swapAccountTokens", "getAccount") ? "row" : "store";
}

/** The location of the tokens of an account in the database. */
export function accountHome(t: Tools, key: AccountKey, settings: Settings): Home {
  if (keepingOf(t) === "row") return rowHome(t, key, settings.seal);
  const home = storeHome(t, ["account", key.provider, key.account], key, null);
  return t.adapterHas("getAccount") ? { ...home, read: () => readEither(t, home) } : home;
}

/**
 * An account that predates the vault may have an access token in its row. Its refresh token is never used: it may
 * already have been exchanged by a process that stored the successor in a store that was lost.
 */
async function readEither(t: Tools, home: Home): Promise<Reading> {
  const kept = await home.read();
  if (kept.text !== null) return kept;
  const row = await t.callAdapter("getAccount", home.key.account, home.key.provider);
  const accessToken = textOf(row?.access_token);
  const expiresAt = Number(row?.expires_at ?? 0);
  if (accessToken === undefined || isSealed(accessToken) || expiresAt === 0) return kept;
  return { tokens: { ...NO_TOKENS, accessToken, expiresAt, scope: textOf(row?.scope) }, text: null };
}

/** The location of the tokens of a session without a database. */
export function sessionHome(t: Tools, sid: string, key: AccountKey): Home {
  return storeHome(t, ["session", sid, key.provider], key, t.sessionLife);
}

/**
 * The accounts of a user at a provider. Each is checked against the database, because a store entry may concern an
 * account that was unlinked and has since been linked by another user.
 *
 * @param origin The account that the session came from, for users who signed in before the vault was configured.
 */
export async function accountsOf(
  t: Tools,
  userId: string,
  provider: string,
  origin?: string,
): Promise<readonly AccountKey[]> {
  if (t.adapterHas("listAccountsByUserId")) {
    const accounts = await t.callAdapter("listAccountsByUserId", userId);
    return accounts
      .filter((account) => account.provider === provider)
      .map(({ providerAccountId }) => ({ provider, account: providerAccountId }));
  }
  const known = (await readIndex(t, userId)).filter((key) => key.provider === provider);
  const isKnown = origin === undefined || known.some(({ account }) => account === origin);
  const listed = isKnown ? known : [...known, { provider, account: origin }];
  const owned = await Promise.all(listed.map((key) => isOwner(t, userId, key)));
  return listed.filter((_, n) => owned[n]);
}

async function isOwner(t: Tools, userId: string, { provider, account }: AccountKey): Promise<boolean> {
  const owner = await t.callAdapter("getUserByAccount", { provider, providerAccountId: account });
  return isSameId(owner?.id, userId);
}

/** Adds an account to the list of a user's accounts, for adapters that cannot list them. */
export async function noteAccount(t: Tools, userId: string, key: AccountKey): Promise<void> {
  if (t.adapterHas("listAccountsByUserId")) return;
  const store = requireStore(t);
  const name = await t.permanentKey("accounts", userId);
  await retryChange(async () => {
    const text = await store.get(name);
    const keys = parseIndex(text);
    const isListed = keys.some((one) => one.provider === key.provider && one.account === key.account);
    return isListed || (await store.swap(name, text, JSON.stringify([...keys, key]), { ttl: null })) || undefined;
  }, "The list of a user's accounts");
}

async function readIndex(t: Tools, userId: string): Promise<readonly AccountKey[]> {
  return parseIndex(await requireStore(t).get(await t.permanentKey("accounts", userId)));
}

/** Written only by {@link noteAccount}. */
function parseIndex(text: string | null): readonly AccountKey[] {
  return text === null ? [] : (JSON.parse(text) as readonly AccountKey[]);
}

/** Removes all tokens from a location. */
export function wipe(home: Home): Promise<void> {
  return put(home, () => ({
    ...{ accessToken: undefined, refreshToken: undefined, idToken: undefined, expiresAt: undefined },
    ...{ scope: undefined, tokenType: undefined, gone: "revoked" as const },
  }));
}
