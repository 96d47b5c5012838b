import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from "@cardea/core/adapters";
import { createTable, type Table } from "./table.ts";

/** Every row of a memory adapter's database. */
export interface MemoryData {
  readonly users: readonly AdapterUser[];
  readonly accounts: readonly AdapterAccount[];
  readonly sessions: readonly AdapterSession[];
  readonly verificationTokens: readonly VerificationToken[];
  readonly authenticators: readonly AdapterAuthenticator[];
}

/** The tables that an adapter keeps (docs/behaviour.md#adapters). */
export interface Tables {
  readonly users: Table<AdapterUser>;
  readonly accounts: Table<AdapterAccount>;
  readonly sessions: Table<AdapterSession>;
  readonly verificationTokens: Table<VerificationToken>;
  readonly authenticators: Table<AdapterAuthenticator>;
}

/** Creates the tables, with the rows of `seed` as they are. */
export function createTables(seed: Partial<MemoryData>): Tables {
  const tables: Tables = {
    users: createTable<AdapterUser>([
      { name: "user.id", keyOf: (user) => user.id },
      // Users without an address are users like any other.
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
  };
  for (const row of seed.users ?? []) tables.users.insert(row);
  for (const row of seed.accounts ?? []) tables.accounts.insert(row);
  for (const row of seed.sessions ?? []) tables.sessions.insert(row);
  for (const row of seed.verificationTokens ?? []) tables.verificationTokens.insert(row);
  for (const row of seed.authenticators ?? []) tables.authenticators.insert(row);
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
  };
}
