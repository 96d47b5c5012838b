import type { AdapterCredential, CredentialChange, NewCredential } from "./credential.ts";
import type { Account, Authenticator, Awaitable, User } from "./records.ts";
import type { SessionInfo, SessionInfoPatch } from "./session-info.ts";
import type { Store } from "./store.ts";

/** A user record (docs/behaviour.md#adapters). */
export interface AdapterUser extends User {
  /** Unique, and never used for another user. */
  id: string;
  /** Null if the provider does not supply an address. */
  email: string | null;
  /** When the user proved ownership of the e-mail address; null if they have not. */
  emailVerified: Date | null;
}

/** An account record. */
export interface AdapterAccount extends Account {
  /** The user who owns the account. */
  userId: string;
}

/** A change of the tokens of an account, see `swapAccountTokens`. */
export interface AccountTokensChange extends Pick<AdapterAccount, "provider" | "providerAccountId"> {
  /** The stored text of `refresh_token`, as it was read; null when there was none. */
  expected: string | null;
  /** The members to replace; null for none. */
  tokens: {
    /** Text of the column. */
    access_token?: string | null;
    /** Text of the column. */
    refresh_token?: string | null;
    /** Text of the column. */
    id_token?: string | null;
    /** In seconds since the epoch. */
    expires_at?: number | null;
    /** Text of the column. */
    scope?: string | null;
    /** Text of the column. */
    token_type?: string | null;
  };
}

/** A session record. */
export interface AdapterSession {
  /** Random; the value of the session cookie. */
  sessionToken: string;
  /** The user who owns the session. */
  userId: string;
  /** When the session ends. */
  expires: Date;
}

/** A pending e-mail sign-in. `token` is a hash of the token in the e-mail. */
export interface VerificationToken {
  /** What the token proves, such as an e-mail address. */
  identifier: string;
  /** The hash of the token. */
  token: string;
  /** When the token becomes invalid. */
  expires: Date;
}

/** An authenticator record. */
export interface AdapterAuthenticator extends Authenticator {
  /** The user who owns the passkey. */
  userId: string;
}

/** What counts as a way to sign in, according to the configuration. */
export interface CountedSignInMethods {
  /** Ids of the OAuth 2.0 and OpenID Connect providers, whose accounts count. */
  providers: readonly string[];
  /** Ids of the passkey providers. A passkey counts with its account, as sign-in needs both. */
  passkeys: readonly string[];
  /** Types of credentials, such as `password`. */
  credentials: readonly string[];
  /** Whether a verified e-mail address counts. */
  address: boolean;
}

/** The records that a user no longer signs in with, see `removeSignInMethod`. */
export interface SignInMethodRemoval {
  /** The owner. Records of other users are not removed. */
  userId: string;
  /** Keys of accounts. */
  accounts: readonly Pick<AdapterAccount, "provider" | "providerAccountId">[];
  /** Credential ids of passkeys. */
  authenticators: readonly string[];
  /** Ids of credentials. */
  credentials: readonly string[];
  /** Of these, one must remain. */
  counts: CountedSignInMethods;
}

/** `last`: nothing was removed, because the user could no longer sign in. `missing`: the user has none of the records. */
export type SignInMethodRemoved = "removed" | "last" | "missing";

/**
 * A database adapter. All methods are optional in the type. The methods that a configuration needs are checked when it is
 * resolved; missing ones are reported as `MissingAdapterMethods`. A rejected promise means that the database failed, never
 * "not found".
 */
export interface Adapter {
  /** Creates a user. */
  createUser?(user: AdapterUser): Awaitable<AdapterUser>;
  /** Finds a user by id. */
  getUser?(id: string): Awaitable<AdapterUser | null>;
  /** Finds a user by e-mail address. */
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>;
  /** Finds the user of an account. */
  getUserByAccount?(account: Pick<AdapterAccount, "provider" | "providerAccountId">): Awaitable<AdapterUser | null>;
  /** Changes the given members of a user. */
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, "id">): Awaitable<AdapterUser>;
  /** Deletes a user. */
  deleteUser?(userId: string): Promise<void> | Awaitable<AdapterUser | null | undefined>;
  /** Links an account to a user. */
  linkAccount?(account: AdapterAccount): Promise<void> | Awaitable<AdapterAccount | null | undefined>;
  /** Removes an account. */
  unlinkAccount?(
    account: Pick<AdapterAccount, "provider" | "providerAccountId">,
  ): Promise<void> | Awaitable<AdapterAccount | undefined>;
  /** Creates a session. */
  createSession?(session: AdapterSession): Awaitable<AdapterSession>;
  /** Finds a session and its user by the session token. */
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>;
  /** Changes the given members of a session. */
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">,
  ): Awaitable<AdapterSession | null | undefined>;
  /** Deletes a session. A missing session is not an error. */
  deleteSession?(sessionToken: string): Promise<void> | Awaitable<AdapterSession | null | undefined>;
  /** Stores a verification token. */
  createVerificationToken?(token: VerificationToken): Awaitable<VerificationToken | null | undefined>;
  /** Deletes a verification token atomically and returns it; null if it does not exist. */
  useVerificationToken?(params: { identifier: string; token: string }): Awaitable<VerificationToken | null>;
  /** Finds an account by its id at the provider. */
  getAccount?(
    providerAccountId: AdapterAccount["providerAccountId"],
    provider: AdapterAccount["provider"],
  ): Awaitable<AdapterAccount | null>;
  /** Finds a passkey by its credential id. */
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>;
  /** Stores a passkey. */
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>;
  /** Lists the passkeys of a user. */
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>;
  /** Stores the signature counter of a passkey. */
  updateAuthenticatorCounter?(credentialID: string, newCounter: number): Awaitable<AdapterAuthenticator>;
  /**
   * Cardea extension, optional: changes the given members of a passkey; null if it does not exist. An adapter with this method stores `name`,
   * `createdAt` and `usedAt`, for which tables made for Auth.js have no columns.
   */
  updateAuthenticator?(
    change: Partial<Pick<AdapterAuthenticator, "name" | "usedAt" | "credentialBackedUp">> &
      Pick<AdapterAuthenticator, "credentialID">,
  ): Awaitable<AdapterAuthenticator | null | undefined>;
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
  /**
   * Cardea extension, optional: replaces tokens of an account if its stored `refresh_token` equals the expected text
   * exactly, in one atomic step. Of several callers that expect the same text, one receives true.
   *
   * @returns false, without a change, if the text differs or the account does not exist.
   */
  swapAccountTokens?(change: AccountTokensChange): Awaitable<boolean>;
  /** Cardea extension, optional: lists the sessions of a user. */
  listSessionsByUserId?(userId: string): Awaitable<AdapterSession[]>;
  /** Cardea extension, optional: ends every session of a user. */
  deleteSessionsByUserId?(userId: string): Promise<void> | Awaitable<number | undefined>;
  /** Cardea extension, optional: records a session (docs/extensions.md#facts). */
  createSessionInfo?(info: SessionInfo): Promise<void> | Awaitable<SessionInfo | null | undefined>;
  /** Cardea extension, optional: finds the record of a session. */
  getSessionInfo?(tokenHash: string): Awaitable<SessionInfo | null>;
  /** Cardea extension, optional: updates the record of a session; null if there is none. */
  updateSessionInfo?(id: string, patch: SessionInfoPatch): Awaitable<SessionInfo | null | undefined>;
  /** Cardea extension, optional: lists the records of a user's sessions; those that ended or expired by `activeAt` may be left out. */
  listSessionInfosByUserId?(userId: string, activeAt?: Date): Awaitable<SessionInfo[]>;
  /** Cardea extension, optional: removes the records of a user's sessions. */
  deleteSessionInfosByUserId?(userId: string): Promise<void> | Awaitable<number | undefined>;
  /**
   * Cardea extension, optional: stores a credential, with an id assigned by the database and version 0. Rejects a
   * second password of a user.
   */
  createCredential?(credential: NewCredential): Awaitable<AdapterCredential>;
  /** Cardea extension, optional: lists the passwords and second factors of a user. */
  listCredentialsByUserId?(userId: string): Awaitable<AdapterCredential[]>;
  /**
   * Cardea extension, optional: updates a credential and its version; null, without a change, if the version differs or
   * the credential does not exist.
   */
  updateCredential?(change: CredentialChange): Awaitable<AdapterCredential | null>;
  /** Cardea extension, optional: removes a credential. A missing credential is not an error. */
  deleteCredential?(id: string): Promise<void> | Awaitable<AdapterCredential | null | undefined>;
  /**
   * Cardea extension, optional: removes records with which a user signs in, unless no way to sign in would remain. Of several concurrent calls
   * for a user, each counts what the earlier ones left: the row of the user is locked first. `tablesOfRemoval` says which tables to read,
   * `decideRemoval` what to do.
   */
  removeSignInMethod?(removal: SignInMethodRemoval): Awaitable<SignInMethodRemoved>;
  /** Cardea extension, optional: shared state in the same database, used if the option `store` is not set. */
  readonly store?: Store | undefined;
}

/** The name of an {@link Adapter} method. */
export type AdapterMethod = Exclude<keyof Adapter, "store">;

/** The {@link Adapter} methods that accept or return users. */
type Returned<M extends AdapterMethod> = Awaited<ReturnType<NonNullable<Adapter[M]>>>;

/** The result of a call. It is null if the method returns nothing or finds nothing. */
export type AdapterResult<M extends AdapterMethod> =
  undefined extends Returned<M> ? Extract<Returned<M>, object | number> | null : Returned<M>;

/** Methods whose parameters or results contain a user. */
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
