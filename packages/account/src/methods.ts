import {
  decideRemoval,
  type SignInMethodRemoval,
  type SignInMethodRemoved,
  type SignInRecords,
  tablesOfRemoval,
} from "@cardea/core/adapters";
import { type AdapterAccount, type AdapterAuthenticator, type EndedBy, isSameId, type Tools } from "@cardea/extend";
import { withLease } from "./lease.ts";

/** A way to sign in that is removed: an account at a provider, a passkey by its credential id, or the password. */
export type RemovedMethod =
  | { readonly provider: string; readonly providerAccountId: string }
  | { readonly passkey: string }
  | { readonly password: true };

/** `unavailable`: the adapter cannot list accounts, and nothing else shows that the user could still sign in. */
export type Unlinked = SignInMethodRemoved | "unavailable";

/** The outcome of {@link removeMethod}, and the accounts that sessions from the method name. */
export interface MethodRemoval {
  readonly outcome: Unlinked;
  readonly accounts: SignInMethodRemoval["accounts"];
}

/** What counts as a way to sign in: what the configuration still offers. A verified address counts with a provider of e-mail links. */
export function countedMethods(t: Tools): SignInMethodRemoval["counts"] {
  const idsOf = (kind: string) => t.signInMethods.filter((one) => one.kind === kind).map(({ id }) => id);
  return {
    providers: idsOf("oauth"),
    passkeys: idsOf("webauthn"),
    credentials: t.hasExtension("password") ? ["password"] : [],
    address: idsOf("email").length > 0,
  };
}

/** The accounts of a user; null if the adapter cannot list them. @throws AdapterError. */
export async function listAccounts(t: Tools, userId: string): Promise<readonly AdapterAccount[] | null> {
  return t.adapterHas("listAccountsByUserId") ? t.callAdapter("listAccountsByUserId", userId) : null;
}

/** The passkeys of a user; empty without a passkey provider. @throws AdapterError. */
export async function listPasskeys(t: Tools, userId: string): Promise<readonly AdapterAuthenticator[]> {
  const offers = t.signInMethods.some(({ kind }) => kind === "webauthn");
  return offers && t.adapterHas("listAuthenticatorsByUserId")
    ? t.callAdapter("listAuthenticatorsByUserId", userId)
    : [];
}

async function readRecords(t: Tools, removal: SignInMethodRemoval): Promise<SignInRecords> {
  const { userId } = removal;
  const needed = tablesOfRemoval(removal);
  const hasCredentials = needed.credentials && t.adapterHas("listCredentialsByUserId");
  const [user, accounts, authenticators, credentials] = await Promise.all([
    t.callAdapter("getUser", userId),
    listAccounts(t, userId),
    needed.authenticators ? listPasskeys(t, userId) : [],
    hasCredentials ? t.callAdapter("listCredentialsByUserId", userId) : [],
  ]);
  return { user, accounts: accounts ?? (await ownAccounts(t, removal)), authenticators, credentials };
}

/** Of the accounts to remove, those of the user: the others cannot be listed, and do not count. */
async function ownAccounts(t: Tools, { userId, accounts }: SignInMethodRemoval): Promise<SignInRecords["accounts"]> {
  if (!t.adapterHas("getUserByAccount")) return [];
  const owners = await Promise.all(accounts.map((key) => t.callAdapter("getUserByAccount", key)));
  return accounts.filter((_, n) => isSameId(owners[n]?.id, userId));
}

async function removalOf(t: Tools, userId: string, method: RemovedMethod): Promise<SignInMethodRemoval> {
  const counts = countedMethods(t);
  const nothing = { userId, accounts: [], authenticators: [], credentials: [], counts };
  if ("provider" in method) {
    const { provider, providerAccountId } = method;
    return { ...nothing, accounts: [{ provider, providerAccountId }] };
  }
  if ("passkey" in method) {
    const key = (await listPasskeys(t, userId)).find(({ credentialID }) => credentialID === method.passkey);
    const accounts = key === undefined ? [] : await accountsOfPasskey(t, userId, key, counts.passkeys);
    return { ...nothing, accounts, authenticators: [method.passkey] };
  }
  const rows = t.adapterHas("listCredentialsByUserId") ? await t.callAdapter("listCredentialsByUserId", userId) : [];
  return { ...nothing, credentials: rows.filter(({ type }) => type === "password").map(({ id }) => id) };
}

async function accountsOfPasskey(
  t: Tools,
  userId: string,
  { providerAccountId }: AdapterAuthenticator,
  providers: readonly string[],
): Promise<SignInMethodRemoval["accounts"]> {
  const listed = await listAccounts(t, userId);
  if (listed === null) return providers.map((provider) => ({ provider, providerAccountId }));
  return listed
    .filter((one) => providers.includes(one.provider) && one.providerAccountId === providerAccountId)
    .map(({ provider }) => ({ provider, providerAccountId }));
}

/**
 * Removes a way to sign in, unless it is the last one.
 *
 * 1. Nothing is done for a method that the user does not have, or that is their last one.
 * 2. The tokens of an account are revoked at its provider, as far as that is possible.
 * 3. The database removes it, and counts what remains in the same transaction. With an adapter that cannot, one request at a time does it,
 *    by a lease in the store.
 *
 * @throws errors of the adapter and the store.
 */
export async function removeMethod(
  t: Tools,
  userId: string,
  method: RemovedMethod,
  by: EndedBy,
): Promise<MethodRemoval> {
  const removal = await removalOf(t, userId, method);
  return { outcome: await remove(t, removal, method, by), accounts: removal.accounts };
}

async function remove(t: Tools, removal: SignInMethodRemoval, method: RemovedMethod, by: EndedBy): Promise<Unlinked> {
  const { userId } = removal;
  const now = await readRecords(t, removal);
  const expected = decideRemoval(removal, now);
  if (expected === "last" && !t.adapterHas("listAccountsByUserId")) return "unavailable";
  if (expected !== "removed") return expected;
  const tokens = "provider" in method ? await takeTokens(t, userId, method) : undefined;
  const outcome = t.adapterHas("removeSignInMethod")
    ? await t.callAdapter("removeSignInMethod", removal)
    : await withLease(t, ["methods", userId], (isHeld) => removeAlone(t, removal, isHeld));
  if (outcome !== "removed") return outcome;
  if (tokens !== undefined) await revokeTokens(t, tokens);
  const kind = "provider" in method ? "account" : "passkey" in method ? "passkey" : "password";
  const provider = "provider" in method ? { provider: method.provider } : {};
  t.note({ kind: "method.removed", userId, by, method: kind, ...provider });
  return outcome;
}

/** Without `removeSignInMethod`, while no other request of this application removes one of the user's. */
async function removeAlone(
  t: Tools,
  removal: SignInMethodRemoval,
  isHeld: () => Promise<boolean>,
): Promise<SignInMethodRemoved> {
  const outcome = decideRemoval(removal, await readRecords(t, removal));
  if (outcome !== "removed") return outcome;
  if (!(await isHeld()))
    throw new Error("account(): a way to sign in was not removed, because the store was too slow.");
  // Without its account, a passkey does not sign in. Its own record can only be removed by `removeSignInMethod`.
  for (const key of removal.accounts) await t.callAdapter("unlinkAccount", key);
  for (const id of removal.credentials) await t.callAdapter("deleteCredential", id);
  return outcome;
}

type Tokens = Pick<AdapterAccount, "provider" | "access_token" | "refresh_token">;

/** Tokens that an extension stores are revoked now, those of the record of an account after it was removed. */
async function takeTokens(
  t: Tools,
  userId: string,
  { provider, providerAccountId }: Extract<RemovedMethod, { provider: string }>,
): Promise<Tokens | undefined> {
  if (await t.forgetTokens({ userId, provider, providerAccountId })) return undefined;
  if (!t.adapterHas("getAccount")) return undefined;
  return (await t.callAdapter("getAccount", providerAccountId, provider)) ?? undefined;
}

/** Revokes tokens at their provider (RFC 7009 §2.1). Never throws: the account is removed also while the provider is unavailable. */
async function revokeTokens(t: Tools, { provider, access_token, refresh_token }: Tokens): Promise<void> {
  try {
    const tools = await t.provider(provider);
    if (refresh_token) await tools?.revoke(refresh_token, "refresh_token");
    else if (access_token) await tools?.revoke(access_token, "access_token");
  } catch (error) {
    t.logger.warn("account-tokens-left: the tokens of an account could not be revoked:", error);
  }
}

/** Revokes the tokens of all accounts of a user who is deleted. Those that cannot be are logged. */
export async function forgetAllTokens(t: Tools, userId: string): Promise<void> {
  const accounts = (await listAccounts(t, userId)) ?? [];
  const offered = accounts.filter(({ provider }) => t.providers.includes(provider));
  await Promise.all(
    offered.map(async (account) => {
      const { provider, providerAccountId } = account;
      if (await t.forgetTokens({ userId, provider, providerAccountId })) return;
      await revokeTokens(t, account);
      const none = { access_token: null, refresh_token: null, id_token: null };
      if (!t.adapterHas("swapAccountTokens")) return;
      const expected = account.refresh_token ?? null;
      await t.callAdapter("swapAccountTokens", { provider, providerAccountId, expected, tokens: none });
    }),
  );
}
