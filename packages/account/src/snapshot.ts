import type { AdapterCredential, Seconds, Tools } from "@cardea/extend";

/** How a user signed in at a time. */
interface Snapshot {
  /** The accounts, as `[provider, id]`. */
  readonly accounts: readonly (readonly [string, string])[];
  /** Ids of the passkeys. */
  readonly passkeys: readonly string[];
  /** Passwords, second factors and recovery codes, with their secrets as stored. */
  readonly credentials: readonly StoredCredential[];
}

type StoredCredential = Pick<AdapterCredential, "id" | "type" | "secret" | "label" | "state"> & {
  readonly createdAt: number;
};

const USE = "undo";

/**
 * Records how a user signs in, encrypted, because it contains hashes of passwords and secrets of second factors: a user whose session was
 * stolen gets back what the thief replaced.
 *
 * @throws AdapterError.
 */
export async function takeSnapshot(t: Tools, userId: string, lifetime: Seconds): Promise<string> {
  const accounts = t.adapterHas("listAccountsByUserId") ? await t.callAdapter("listAccountsByUserId", userId) : [];
  const passkeys = hasPasskeys(t) ? await t.callAdapter("listAuthenticatorsByUserId", userId) : [];
  const snapshot: Snapshot = {
    accounts: accounts.map(({ provider, providerAccountId }) => [provider, providerAccountId]),
    passkeys: passkeys.map(({ credentialID }) => credentialID),
    credentials: (await listCredentials(t, userId)).map(({ id, type, secret, label, state, createdAt }) => ({
      ...{ id, type, secret, label: label ?? null, state: state ?? null, createdAt: createdAt.getTime() },
    })),
  };
  return t.seal({ userId, snapshot: JSON.stringify(snapshot) }, USE, lifetime);
}

/** Without a passkey provider, the table may be missing. */
function hasPasskeys(t: Tools): boolean {
  return t.adapterHas("listAuthenticatorsByUserId") && t.signInMethods.some(({ kind }) => kind === "webauthn");
}

async function listCredentials(t: Tools, userId: string): Promise<readonly AdapterCredential[]> {
  // A cast: rows have at least these members.
  return t.adapterHas("listCredentialsByUserId")
    ? ((await t.callAdapter("listCredentialsByUserId", userId)) as readonly AdapterCredential[])
    : [];
}

/**
 * Brings back how a user signed in then: what was added since is removed, and what was changed or removed has its former secret again.
 *
 * @throws AdapterError.
 */
export async function restoreSnapshot(t: Tools, userId: string, sealed: string): Promise<void> {
  const opened = await t.open(sealed, USE);
  if (opened?.userId !== userId || opened.snapshot === undefined) return;
  // Written by `takeSnapshot`, and encrypted since.
  const { accounts, passkeys, credentials } = JSON.parse(opened.snapshot) as Snapshot;
  await removeLaterAccounts(t, userId, accounts);
  await removeLaterPasskeys(t, userId, passkeys);
  await restoreCredentials(t, userId, credentials);
}

async function removeLaterAccounts(t: Tools, userId: string, former: Snapshot["accounts"]): Promise<void> {
  if (!t.adapterHas("listAccountsByUserId", "unlinkAccount")) return;
  for (const { provider, providerAccountId } of await t.callAdapter("listAccountsByUserId", userId)) {
    if (former.some(([one, id]) => one === provider && id === providerAccountId)) continue;
    await t.callAdapter("unlinkAccount", { provider, providerAccountId });
  }
}

/** Their accounts were removed, without which they do not sign in. The keys go too where the adapter can remove one. */
async function removeLaterPasskeys(t: Tools, userId: string, former: Snapshot["passkeys"]): Promise<void> {
  if (!hasPasskeys(t) || !t.adapterHas("removeSignInMethod")) return;
  const later = (await t.callAdapter("listAuthenticatorsByUserId", userId)).filter(
    ({ credentialID }) => !former.includes(credentialID),
  );
  if (later.length === 0) return;
  await t.callAdapter("removeSignInMethod", {
    ...{ userId, accounts: [], credentials: [] },
    authenticators: later.map(({ credentialID }) => credentialID),
    counts: { providers: [], passkeys: [], credentials: [], address: true },
  });
}

async function restoreCredentials(t: Tools, userId: string, former: Snapshot["credentials"]): Promise<void> {
  if (!t.adapterHas("listCredentialsByUserId", "createCredential", "updateCredential", "deleteCredential")) return;
  const now = await listCredentials(t, userId);
  for (const { id } of now) if (!former.some((one) => one.id === id)) await t.callAdapter("deleteCredential", id);
  for (const one of former) {
    const { id, type, secret, label = null, state } = one;
    const current = now.find((row) => row.id === id);
    if (current === undefined) {
      const createdAt = new Date(one.createdAt);
      await t.callAdapter("createCredential", { userId, type, secret, label, state, createdAt });
    } else if (current.secret !== secret || isReplaced(current.state, state)) {
      await t.callAdapter("updateCredential", { id, version: current.version, secret, state });
    }
  }
}

/** Whether recovery codes were replaced by others. Codes that were merely used since stay used. */
function isReplaced(now: unknown, former: unknown): boolean {
  const hashesOf = (state: unknown): unknown => Reflect.get(Object(state), "hashes");
  const [current, before] = [hashesOf(now), hashesOf(former)];
  return Array.isArray(current) && Array.isArray(before) && current.some((hash) => !before.includes(hash));
}
