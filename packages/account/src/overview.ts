import type { AdapterAccount, AdapterAuthenticator, AdapterUser, SessionInfo, Tools } from "@cardea/extend";
import { findChange } from "./change-address.ts";
import { countedMethods, listAccounts, listPasskeys } from "./methods.ts";
import { findRemoval } from "./remove-user.ts";

/** An account at a provider. */
export interface LinkedAccount {
  /** Id of the provider. */
  readonly provider: string;
  /** Its name; its id if it is no longer configured. */
  readonly name: string;
  /** Id of the account at the provider. */
  readonly providerAccountId: string;
  /** Whether the provider is still configured. */
  readonly isOffered: boolean;
  /** When it was linked: its member `createdAt`, where the adapter has one; else null. */
  readonly since: Date | null;
  /** When a session that came from it was last active; null if there is none. */
  readonly lastUsed: Date | null;
}

/** A passkey. */
export interface ListedPasskey {
  /** Its credential id. */
  readonly id: string;
  /** The name that its user or its provider gave it; null for none. */
  readonly name: string | null;
  /** Where it is: synchronized between devices, on one device, or on a security key. One that could be synchronized is on one device until it is. */
  readonly place: "synced" | "device" | "security-key";
  /** When it was added; null if unknown. */
  readonly createdAt: Date | null;
  /** When it was last used; null if unknown. */
  readonly lastUsed: Date | null;
  /** Whether a copy exists, so that it survives the loss of the device. */
  readonly isBackedUp: boolean;
}

/** What the account page shows about a user. Contains no tokens and no secrets. */
export interface AccountOverview {
  /** The user. */
  readonly user: Pick<AdapterUser, "id" | "email" | "emailVerified"> & {
    readonly name: string | null;
    readonly image: string | null;
    /** When the user was created: its member `createdAt`, where the adapter has one; else null. */
    readonly since: Date | null;
  };
  /** Their accounts at providers; null if the adapter cannot list them. */
  readonly accounts: readonly LinkedAccount[] | null;
  /** Their passkeys. */
  readonly passkeys: readonly ListedPasskey[];
  /** Whether they have a password; null if the application has none. */
  readonly hasPassword: boolean | null;
  /** The address that waits for its confirmation; null without one. */
  readonly pendingAddress: string | null;
  /** When the user is deleted; null if no deletion was requested. */
  readonly deletion: Date | null;
}

/** What the account page shows about a user; null if there is none. @throws errors of the adapter and the store. */
export async function overviewOf(t: Tools, userId: string): Promise<AccountOverview | null> {
  const user = t.adapterHas("getUser") ? await t.callAdapter("getUser", userId) : null;
  if (user === null) return null;
  const [accounts, passkeys, hasPassword, change, removal, sessions] = await Promise.all([
    listAccounts(t, userId),
    listPasskeys(t, userId),
    findsPassword(t, userId),
    findChange(t, userId),
    findRemoval(t, userId),
    t.listSessions(userId),
  ]);
  const { id, email, emailVerified, name = null, image = null } = user;
  const own = countedMethods(t).passkeys;
  return {
    user: { id, name, email, emailVerified, image, since: sinceOf(user) },
    accounts:
      accounts
        ?.filter(({ provider, type }) => type !== "webauthn" && !own.includes(provider))
        .map((one) => linkedAccount(t, one, sessions)) ?? null,
    passkeys: passkeys.map((one) => listedPasskey(one, sessions)),
    hasPassword,
    pendingAddress: change?.email ?? null,
    deletion: removal && new Date(1000 * removal.due),
  };
}

/** Tables of applications often have the column; no adapter requires it. */
function sinceOf(record: object): Date | null {
  const at: unknown = Reflect.get(record, "createdAt");
  return at instanceof Date ? at : null;
}

function linkedAccount(t: Tools, account: AdapterAccount, sessions: readonly SessionInfo[]): LinkedAccount {
  const { provider, providerAccountId } = account;
  const method = t.signInMethods.find(({ id }) => id === provider);
  const isFrom = (one: SessionInfo) => one.provider === provider && one.providerAccountId === providerAccountId;
  return {
    ...{ provider, providerAccountId, name: method?.name ?? provider, isOffered: method !== undefined },
    since: sinceOf(account),
    lastUsed: lastUse(sessions, isFrom),
  };
}

function listedPasskey(passkey: AdapterAuthenticator, sessions: readonly SessionInfo[]): ListedPasskey {
  const { credentialID: id, providerAccountId, name = null, createdAt = null, usedAt, credentialBackedUp } = passkey;
  const transports = (passkey.transports ?? "").split(",");
  const isKey = transports.some((one) => one === "usb" || one === "nfc");
  const isBackedUp = credentialBackedUp === true;
  const place = isBackedUp ? "synced" : isKey ? "security-key" : "device";
  const lastUsed = usedAt ?? lastUse(sessions, (one) => one.providerAccountId === providerAccountId);
  return { id, name, place, createdAt, lastUsed, isBackedUp };
}

function lastUse(sessions: readonly SessionInfo[], isFrom: (session: SessionInfo) => boolean): Date | null {
  const times = sessions.filter(isFrom).map(({ seenAt }) => seenAt.getTime());
  return times.length === 0 ? null : new Date(Math.max(...times));
}

async function findsPassword(t: Tools, userId: string): Promise<boolean | null> {
  if (!t.hasExtension("password") || !t.adapterHas("listCredentialsByUserId")) return null;
  const rows = await t.callAdapter("listCredentialsByUserId", userId);
  return rows.some(({ type }) => type === "password");
}
