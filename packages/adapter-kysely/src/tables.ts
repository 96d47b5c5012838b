import type {
  AdapterAuthenticator,
  AdapterCredential,
  AdapterSession,
  AdapterUser,
  SessionInfo,
  VerificationToken,
} from "@cardea/core/adapters";
import type { Columns } from "./columns.ts";
import type { Connection } from "./connection.ts";
import { createTable, type Table } from "./table.ts";

/** A row of the accounts: null for missing values. */
export interface AccountRow {
  readonly provider: string;
  readonly providerAccountId: string;
  readonly refresh_token?: string | null;
  readonly [column: string]: unknown;
}

/** Non-text columns. */
export const columnsOf = {
  User: { emailVerified: "time" },
  Account: { expires_at: "number" },
  Session: { expires: "time" },
  VerificationToken: { expires: "time" },
  Authenticator: { counter: "number", credentialBackedUp: "flag", createdAt: "time", usedAt: "time" },
  SessionInfo: {
    createdAt: "time",
    seenAt: "time",
    expires: "time",
    endedAt: "time",
    epoch: "number",
    factors: "json",
    idp: "json",
  },
  Credential: { createdAt: "time", usedAt: "time", version: "number", state: "json" },
  State: { expires: "time", version: "number" },
  StateLog: { expires: "time", seq: "number" },
} as const satisfies Readonly<Record<string, Columns>>;

/** The tables of a database. Using a missing table rejects. */
export interface Tables {
  readonly users: Table<AdapterUser>;
  readonly accounts: Table<AccountRow>;
  readonly sessions: Table<AdapterSession>;
  readonly verificationTokens: Table<VerificationToken>;
  readonly authenticators: Table<AdapterAuthenticator>;
  readonly sessionInfos: Table<SessionInfo>;
  readonly credentials: Table<AdapterCredential>;
}

/** The tables, through a connection or a transaction. */
export function tablesOf(connection: Connection): Tables {
  return {
    users: createTable(connection, "User", columnsOf.User),
    accounts: createTable(connection, "Account", columnsOf.Account),
    sessions: createTable(connection, "Session", columnsOf.Session),
    verificationTokens: createTable(connection, "VerificationToken", columnsOf.VerificationToken),
    authenticators: createTable(connection, "Authenticator", columnsOf.Authenticator),
    sessionInfos: createTable(connection, "SessionInfo", columnsOf.SessionInfo),
    credentials: createTable(connection, "Credential", columnsOf.Credential),
  };
}
