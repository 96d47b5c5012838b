import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterCredential,
  AdapterSession,
  AdapterUser,
  SessionInfo,
  VerificationToken,
} from "@cardea/core/adapters";
import { createTable, type Table } from "./table.ts";

/** All rows of a memory adapter's database. */
export interface MemoryData {
  /** The table `User`. */
  readonly users: readonly AdapterUser[];
  /** The table `Account`: links of users to providers. */
  readonly accounts: readonly AdapterAccount[];
  /** The table `Session`, of the strategy `database`. */
  readonly sessions: readonly AdapterSession[];
  /** The table `VerificationToken`: hashes of e-mail links. */
  readonly verificationTokens: readonly VerificationToken[];
  /** The table `Authenticator`: public keys of passkeys. */
  readonly authenticators: readonly AdapterAuthenticator[];
  /** The table `SessionInfo`: records of sessions, for extensions. */
  readonly sessionInfos: readonly SessionInfo[];
  /** The table `Credential`: passwords and second factors. */
  readonly credentials: readonly AdapterCredential[];
}

/** The tables of an adapter (docs/behaviour.md#adapters). */
export interface Tables {
  readonly users: Table<AdapterUser>;
  readonly accounts: Table<AdapterAccount>;
  readonly sessions: Table<AdapterSession>;
  readonly verificationTokens: Table<VerificationToken>;
  readonly authenticators: Table<AdapterAuthenticator>;
  readonly sessionInfos: Table<SessionInfo>;
  readonly credentials: Table<AdapterCredential>;
}

/** Throws if the user does not exist, like a foreign key. */
export function requireUser({ users }: Tables, userId: string): void {
  if (users.find(({ id }) => id === userId)) return;
  throw new Error(`Foreign key userId: no user with the id ${JSON.stringify(userId)} exists.`);
}

/** Creates the tables with the rows of `seed`, unchanged. */
export function createTables(seed: Partial<MemoryData>): Tables {
  const tables: Tables = {
    users: createTable<AdapterUser>([
      { name: "user.id", keyOf: (user) => user.id },
      // Users without an address never conflict.
      { name: "user.email", keyOf: (user) => user.email || undefined },
    ]),
    accounts: createTable<AdapterAccount>([
      {
        name: "account(provider, providerAccountId)",
        keyOf: ({ provider, providerAccountId }) => JSON.stringify([provider, providerAccountId]),
      },
    ]),
    sessions: createTable<AdapterSession>([{ name: "session.sessionToken", keyOf: (row) => row.sessionToken }]),
    verificationTokens: createTable<VerificationToken>([
      {
        name: "verificationToken(identifier, token)",
        keyOf: ({ identifier, token }) => JSON.stringify([identifier, token]),
      },
    ]),
    authenticators: createTable<AdapterAuthenticator>([
      { name: "authenticator.credentialID", keyOf: (row) => row.credentialID },
    ]),
    sessionInfos: createTable<SessionInfo>([
      { name: "sessionInfo.id", keyOf: (row) => row.id },
      { name: "sessionInfo.tokenHash", keyOf: (row) => row.tokenHash },
    ]),
    credentials: createTable<AdapterCredential>([{ name: "credential.id", keyOf: (row) => row.id }]),
  };
  for (const row of seed.users ?? []) tables.users.insert(row);
  for (const row of seed.accounts ?? []) tables.accounts.insert(row);
  for (const row of seed.sessions ?? []) tables.sessions.insert(row);
  for (const row of seed.verificationTokens ?? []) tables.verificationTokens.insert(row);
  for (const row of seed.authenticators ?? []) tables.authenticators.insert(row);
  for (const row of seed.sessionInfos ?? []) tables.sessionInfos.insert(row);
  for (const row of seed.credentials ?? []) tables.credentials.insert(row);
  return tables;
}

/** A copy of every row, in the order in which they were inserted. */
export function snapshotTables(tables: Tables): MemoryData {
  return {
    users: tables.users.list(),
    accounts: tables.accounts.list(),
    sessions: tables.sessions.list(),
    verificationTokens: tables.verificationTokens.list(),
    authenticators: tables.authenticators.list(),
    sessionInfos: tables.sessionInfos.list(),
    credentials: tables.credentials.list(),
  };
}
