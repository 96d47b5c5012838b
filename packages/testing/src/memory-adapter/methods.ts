import {
  type Adapter,
  type AdapterAccount,
  type AdapterSession,
  type AdapterUser,
  decideRemoval,
} from "@cardea/core/adapters";
import { extensionMethods } from "./extension-methods.ts";
import { requireUser, type Tables } from "./tables.ts";

/** The settings of the adapter that its methods need. */
export interface MethodContext {
  readonly tables: Tables;
  /** The id of a new user; `proposed` is the caller's suggestion. */
  readonly newId: (proposed: string) => string;
  /** Whether this adapter returns a session row. */
  readonly isVisible: (session: AdapterSession) => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** An adapter with every method. */
export type FullAdapter = Required<Adapter>;
type AccountKey = { readonly provider: string; readonly providerAccountId: string };

/** Creates all methods. */
export function createMethods(context: MethodContext): FullAdapter {
  return {
    ...userMethods(context),
    ...accountMethods(context),
    ...sessionMethods(context),
    ...verificationTokenMethods(context),
    ...authenticatorMethods(context),
    ...removalMethods(context),
    ...extensionMethods(context),
  };
}

function isAccount(key: AccountKey): (row: AccountKey) => boolean {
  return (row) => row.provider === key.provider && row.providerAccountId === key.providerAccountId;
}

/** A cast: members of an account, without the user or other members. */
function assumeAccount(account: object): AdapterAccount {
  return account as AdapterAccount;
}

function userMethods({ tables, newId }: MethodContext) {
  const { users, accounts, sessions, authenticators, sessionInfos, credentials } = tables;
  const insertUser = (user: AdapterUser) => {
    const { name = null, email = null, emailVerified = null, image = null } = user;
    return users.insert({ ...user, name, email, emailVerified, image, id: newId(user.id) });
  };
  return {
    createUser: async (user) => insertUser(user),
    async createUserWithAccount(user, account, authenticator) {
      const made = insertUser(user);
      try {
        accounts.insert(assumeAccount({ ...account, userId: made.id }));
        if (authenticator) authenticators.insert({ ...authenticator, userId: made.id });
      } catch (error) {
        accounts.remove(({ userId }) => userId === made.id);
        users.remove(({ id }) => id === made.id);
        throw error;
      }
      return made;
    },
    getUser: async (id) => users.find((row) => row.id === id) ?? null,
    getUserByEmail: async (email) => users.find((row) => email !== "" && row.email === email) ?? null,
    async getUserByAccount(key) {
      const account = accounts.find(isAccount(key));
      return (account && users.find((row) => row.id === account.userId)) ?? null;
    },
    async updateUser(user) {
      const updated = users.update((row) => row.id === user.id, user);
      if (updated === undefined) throw new Error(`No user with the id ${JSON.stringify(user.id)} exists.`);
      return updated;
    },
    async deleteUser(id) {
      const owned = [accounts, sessions, authenticators, sessionInfos, credentials];
      for (const table of owned) table.remove(({ userId }) => userId === id);
      return users.remove((row) => row.id === id)[0] ?? null;
    },
  } satisfies Adapter;
}

function accountMethods({ tables }: MethodContext) {
  const { accounts } = tables;
  return {
    async linkAccount(account) {
      requireUser(tables, account.userId);
      return accounts.insert(account);
    },
    unlinkAccount: async (key) => accounts.remove(isAccount(key))[0],
    getAccount: async (providerAccountId, provider) =>
      accounts.find(isAccount({ provider, providerAccountId })) ?? null,
    listAccountsByUserId: async (userId) => accounts.list((row) => row.userId === userId),
    updateAccount: async (account) => accounts.update(isAccount(account), account) ?? null,
    swapAccountTokens: async ({ expected, tokens, ...key }) => {
      const isExpected = (row: AdapterAccount) => isAccount(key)(row) && (row.refresh_token ?? null) === expected;
      return accounts.update(isExpected, assumeAccount(tokens)) !== undefined;
    },
  } satisfies Adapter;
}

function sessionMethods({ tables, isVisible }: MethodContext) {
  const { sessions, users } = tables;
  return {
    async createSession(session) {
      requireUser(tables, session.userId);
      return sessions.insert(session);
    },
    async getSessionAndUser(token) {
      const session = sessions.find((row) => row.sessionToken === token);
      const user = session && isVisible(session) ? users.find(({ id }) => id === session.userId) : undefined;
      return session && user ? { session, user } : null;
    },
    updateSession: async (session) =>
      sessions.update((row) => row.sessionToken === session.sessionToken, session) ?? null,
    deleteSession: async (token) => sessions.remove((row) => row.sessionToken === token)[0] ?? null,
    listSessionsByUserId: async (id) => sessions.list((row) => row.userId === id && isVisible(row)),
    deleteSessionsByUserId: async (id) => sessions.remove((row) => row.userId === id).length,
  } satisfies Adapter;
}

function verificationTokenMethods({ tables: { verificationTokens } }: MethodContext) {
  return {
    createVerificationToken: async (token) => verificationTokens.insert(token),
    useVerificationToken: async ({ identifier, token }) =>
      verificationTokens.remove((row) => row.identifier === identifier && row.token === token)[0] ?? null,
  } satisfies Adapter;
}

function authenticatorMethods({ tables }: MethodContext) {
  const { authenticators } = tables;
  return {
    getAuthenticator: async (credentialID) => authenticators.find((row) => row.credentialID === credentialID) ?? null,
    async createAuthenticator(authenticator) {
      requireUser(tables, authenticator.userId);
      return authenticators.insert(authenticator);
    },
    listAuthenticatorsByUserId: async (userId) => authenticators.list((row) => row.userId === userId),
    async updateAuthenticatorCounter(credentialID, counter) {
      // A counter never decreases, even if two sign-ins overtake each other.
      authenticators.update((row) => row.credentialID === credentialID && row.counter < counter, { counter });
      const updated = authenticators.find((row) => row.credentialID === credentialID);
      if (updated === undefined)
        throw new Error(`No authenticator with the id ${JSON.stringify(credentialID)} exists.`);
      return updated;
    },
    updateAuthenticator: async ({ credentialID, ...change }) =>
      authenticators.update((row) => row.credentialID === credentialID, change) ?? null,
  } satisfies Adapter;
}

function removalMethods({ tables }: MethodContext) {
  const { users, accounts, authenticators, credentials } = tables;
  return {
    async removeSignInMethod(removal) {
      const isOwn = ({ userId }: { readonly userId: string }) => userId === removal.userId;
      const outcome = decideRemoval(removal, {
        user: users.find(({ id }) => id === removal.userId) ?? null,
        accounts: accounts.list(isOwn),
        authenticators: authenticators.list(isOwn),
        credentials: credentials.list(isOwn),
      });
      if (outcome !== "removed") return outcome;
      accounts.remove((row) => isOwn(row) && removal.accounts.some((key) => isAccount(key)(row)));
      authenticators.remove((row) => isOwn(row) && removal.authenticators.includes(row.credentialID));
      credentials.remove((row) => isOwn(row) && removal.credentials.includes(row.id));
      return outcome;
    },
  } satisfies Adapter;
}
