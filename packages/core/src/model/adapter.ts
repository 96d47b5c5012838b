import type { AdapterCredential, CredentialChange, NewCredential } from "./credential.ts";
import type { Account, Authenticator, Awaitable, User } from "./records.ts";
import type { SessionInfo, SessionInfoPatch } from "./session-info.ts";
import type { Store } from "./store.ts";

/** A user record (docs/behaviour.md#adapters). */
export interface AdapterUser extends User {
  id: string;
  /** Null if the provider does not supply an address. */
  email: string | null;
  /** When the user proved ownership of the e-mail address; null if they have not. */
  emailVerified: Date | null;
}

/** An account record. */
export interface AdapterAccount extends Account {
  userId: string;
}

/** A session record. */
export interface AdapterSession {
  sessionToken: string;
  userId: string;
  expires: Date;
}

/** A pending e-mail sign-in. `token` is a hash of the token in the e-mail. */
export interface VerificationToken {
  identifier: string;
  token: string;
  expires: Date;
}

/** An authenticator record. */
export interface AdapterAuthenticator extends Authenticator {
  userId: string;
}

/**
 * A database adapter. All methods are optional in the type. The methods that a configuration needs are checked when it is
 * resolved; missing ones are reported as `MissingAdapterMethods`. A rejected promise means that the database failed, never
 * "not found".
 */
export interface Adapter {
  createUser?(user: AdapterUser): Awaitable<AdapterUser>;
  getUser?(id: string): Awaitable<AdapterUser | null>;
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>;
  getUserByAccount?(account: Pick<AdapterAccount, "provider" | "providerAccountId">): Awaitable<AdapterUser | null>;
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, "id">): Awaitable<AdapterUser>;
  deleteUser?(userId: string): Promise<void> | Awaitable<AdapterUser | null | undefined>;
  linkAccount?(account: AdapterAccount): Promise<void> | Awaitable<AdapterAccount | null | undefined>;
  unlinkAccount?(
    account: Pick<AdapterAccount, "provider" | "providerAccountId">,
  ): Promise<void> | Awaitable<AdapterAccount | undefined>;
  createSession?(session: AdapterSession): Awaitable<AdapterSession>;
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>;
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">,
  ): Awaitable<AdapterSession | null | undefined>;
  deleteSession?(sessionToken: string): Promise<void> | Awaitable<AdapterSession | null | undefined>;
  createVerificationToken?(token: VerificationToken): Awaitable<VerificationToken | null | undefined>;
  useVerificationToken?(params: { identifier: string; token: string }): Awaitable<VerificationToken | null>;
  getAccount?(
    providerAccountId: AdapterAccount["providerAccountId"],
    provider: AdapterAccount["provider"],
  ): Awaitable<AdapterAccount | null>;
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>;
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>;
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>;
  updateAuthenticatorCounter?(credentialID: string, newCounter: number): Awaitable<AdapterAuthenticator>;
  /**
   * Cardea extension, optional: creates a user, their first account and, for a sign-up with a passkey, its authenticator in
   * one transaction, so that a killed process leaves nothing behind. Rejects if one of them exists. Without this method, a
   * sign-up calls `createUser`, `linkAccount` and `createAuthenticator`.
   */
  createUserWithAccount?(
    user: AdapterUser,
    account: Omit<AdapterAccount, "userId">,
    authenticator?: Omit<AdapterAuthenticator, "userId">,
  ): Awaitable<AdapterUser>;
  /** Cardea extension, optional: lists the accounts of a user. */
  listAccountsByUserId?(userId: string): Awaitable<AdapterAccount[]>;
  /** Cardea extension, optional: replaces the tokens of an account. */
  updateAccount?(
    account: Partial<AdapterAccount> & Pick<AdapterAccount, "provider" | "providerAccountId">,
  ): Awaitable<AdapterAccount | null | undefined>;
  /** Cardea extension, optional: lists the sessions of a user. */
  listSessionsByUserId?(userId: string): Awaitable<AdapterSession[]>;
  /** Cardea extension, optional: ends every session of a user. */
  deleteSessionsByUserId?(userId: string): Promise<void> | Awaitable<number | undefined>;
  /** Ours, optional: records a session (docs/extensions.md#facts). */
  createSessionInfo?(info: SessionInfo): Promise<void> | Awaitable<SessionInfo | null | undefined>;
  /** Ours, optional: the record of a session. */
  getSessionInfo?(tokenHash: string): Awaitable<SessionInfo | null>;
  /** Ours, optional: changes the record of a session; null where there is none. */
  updateSessionInfo?(id: string, patch: SessionInfoPatch): Awaitable<SessionInfo | null | undefined>;
  /** Ours, optional: the records of a user's sessions. */
  listSessionInfosByUserId?(userId: string): Awaitable<SessionInfo[]>;
  /** Ours, optional: removes the records of a user's sessions. */
  deleteSessionInfosByUserId?(userId: string): Promise<void> | Awaitable<number | undefined>;
  /** Cardea extension, optional: stores a credential, with an id of the database and version 0. Rejects a second password of a user. */
  createCredential?(credential: NewCredential): Awaitable<AdapterCredential>;
  /** Cardea extension, optional: the passwords and second factors of a user. */
  listCredentialsByUserId?(userId: string): Awaitable<AdapterCredential[]>;
  /** Cardea extension, optional: changes a credential and its version; null, and nothing is changed, when the version is another or there is none. */
  updateCredential?(change: CredentialChange): Awaitable<AdapterCredential | null>;
  /** Cardea extension, optional: removes a credential; one that is gone is no error. */
  deleteCredential?(id: string): Promise<void> | Awaitable<AdapterCredential | null | undefined>;
  /** Cardea extension, optional: shared state in the same database, used if the option `store` is not set. */
  readonly store?: Store | undefined;
}

/** The name of an {@link Adapter} method. */
export type AdapterMethod = Exclude<keyof Adapter, "store">;

/** The {@link Adapter} methods that accept or return users. */
type MethodOfUsers =
  | "createUser"
  | "getUser"
  | "getUserByEmail"
  | "getUserByAccount"
  | "updateUser"
  | "deleteUser"
  | "getSessionAndUser"
  | "createUserWithAccount";

/**
 * An adapter from another package, which does not know the members that the application added to `User` and uses its own
 * record types. Has no call signatures, so that the methods of an object literal in `adapter` are typed by {@link Adapter}.
 */
export type AdapterOfAnyUser = Omit<Adapter, MethodOfUsers> & {
  [Method in MethodOfUsers]?: CallableFunction | undefined;
};

export type { AdapterCredential, CredentialChange, NewCredential } from "./credential.ts";
export type { Account, Authenticator, Awaitable, ProviderType, TokenSet, User } from "./records.ts";
export type { FactorRecord, SessionInfo, SessionInfoPatch, SessionOriginRecord } from "./session-info.ts";
export type { Seconds } from "./units.ts";
