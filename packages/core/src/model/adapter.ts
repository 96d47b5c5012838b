import type { Account, Authenticator, Awaitable, User } from "./records.ts";
import type { SessionInfo, SessionInfoPatch } from "./session-info.ts";
import type { Store } from "./store.ts";

/** A user as the database has them (docs/behaviour.md#adapters). */
export interface AdapterUser extends User {
  id: string;
  /** Null for a user of a provider that gives no address. */
  email: string | null;
  /** When the e-mail address was proven to belong to the user; null while it was not. */
  emailVerified: Date | null;
}

/** An account as the database has it. */
export interface AdapterAccount extends Account {
  userId: string;
}

/** A session as the database has it. */
export interface AdapterSession {
  sessionToken: string;
  userId: string;
  expires: Date;
}

/** A pending e-mail sign-in as the database has it; `token` is a hash, never what the mail carries. */
export interface VerificationToken {
  identifier: string;
  token: string;
  expires: Date;
}

/** An authenticator as the database has it. */
export interface AdapterAuthenticator extends Authenticator {
  userId: string;
}

/**
 * What a database adapter offers. Every method is optional to the type; what a configuration needs is checked when it is
 * resolved, and a missing method is named then (`MissingAdapterMethods`). A promise that rejects is an outage, never "not found".
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
   * Ours, optional: makes a user, their first account and, for a sign-up with a passkey, its authenticator in one transaction,
   * so that a process killed in between leaves nothing. Rejects when one of them is taken. Without it a sign-up is
   * `createUser`, `linkAccount`, `createAuthenticator`.
   */
  createUserWithAccount?(
    user: AdapterUser,
    account: Omit<AdapterAccount, "userId">,
    authenticator?: Omit<AdapterAuthenticator, "userId">,
  ): Awaitable<AdapterUser>;
  /** Ours, optional: the accounts of a user. */
  listAccountsByUserId?(userId: string): Awaitable<AdapterAccount[]>;
  /** Ours, optional: replaces the tokens of an account. */
  updateAccount?(
    account: Partial<AdapterAccount> & Pick<AdapterAccount, "provider" | "providerAccountId">,
  ): Awaitable<AdapterAccount | null | undefined>;
  /** Ours, optional: the sessions of a user. */
  listSessionsByUserId?(userId: string): Awaitable<AdapterSession[]>;
  /** Ours, optional: ends every session of a user. */
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
  /** Ours, optional: shared state in the same database; used where the option `store` is not set. */
  readonly store?: Store | undefined;
}

/** The name of a method of an {@link Adapter}. */
export type AdapterMethod = Exclude<keyof Adapter, "store">;

/** The methods of an {@link Adapter} that take or return users. */
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
 * An adapter that does not know what the application added to `User`: those of other packages take and return records of
 * their own type. Without call signatures, so that an object in `adapter` gets its parameters' types from {@link Adapter}.
 */
export type AdapterOfAnyUser = Omit<Adapter, MethodOfUsers> & {
  [Method in MethodOfUsers]?: CallableFunction | undefined;
};

export type { Account, Authenticator, Awaitable, ProviderType, TokenSet, User } from "./records.ts";
export type { FactorRecord, SessionInfo, SessionInfoPatch, SessionOriginRecord } from "./session-info.ts";
export type { Seconds } from "./units.ts";
