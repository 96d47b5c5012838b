import { type Adapter, tableStore } from "@cardea/core/adapters";
import type { Kysely, Transaction } from "kysely";
import { accountMethods } from "./account-methods.ts";
import { authenticatorMethods } from "./authenticator-methods.ts";
import { type AnyKysely, type Connection, kindOf } from "./connection.ts";
import { credentialMethods } from "./credential-methods.ts";
import type { Codegen, KyselyAuth } from "./database.ts";
import { removalMethods } from "./removal-methods.ts";
import { sessionInfoMethods } from "./session-info-methods.ts";
import { sessionMethods } from "./session-methods.ts";
import { signUpMethods } from "./sign-up-methods.ts";
import { stateLogTable } from "./store/state-log-table.ts";
import { stateTable } from "./store/state-table.ts";
import { tablesOf } from "./tables.ts";
import { userMethods } from "./user-methods.ts";
import { verificationTokenMethods } from "./verification-token-methods.ts";

/** Options of {@link KyselyAdapter}. */
export interface KyselyAdapterOptions {
  /**
   * Additional columns of `Account`, such as `refresh_token_expires_in`. Account members without a column are not
   * stored.
   */
  readonly accountColumns?: readonly string[];
  /**
   * Whether `Authenticator` has the columns `name`, `createdAt` and `usedAt`, which tables made for Auth.js lack. Default false: passkeys have no
   * names.
   */
  readonly passkeyNames?: boolean;
  /**
   * `false` for a dialect without transactions, such as D1 and HTTP drivers. The adapter then has no
   * `createUserWithAccount` and no `removeSignInMethod`, its store has no log, and `warn` receives the consequences. Default `true`: operations
   * that need a transaction reject if none can be started.
   */
  readonly transactions?: boolean;
  /** Receives the warning of `transactions: false`, once. Default `console.warn`. */
  readonly warn?: (message: string) => void;
}

const WITHOUT_TRANSACTIONS =
  "kysely-transactions: KyselyAdapter() runs without transactions. A user and their first account are not created atomically: if the process is killed " +
  "in between, a user without an account remains and blocks the e-mail address. The store has no log: an extension that needs one " +
  "fails at startup. Each single write is still atomic.";

/**
 * Stores users, accounts, sessions, e-mail sign-ins and passkeys in the database of a Kysely instance, in the tables of
 * `@auth/kysely-adapter` and those that extensions add (`sql/` of this package). If a table is missing, methods that
 * use it reject with the database's error.
 *
 * Each method rejects with the driver's error if the database fails or a unique key already exists. `updateUser` and
 * `updateAuthenticatorCounter` reject if the row does not exist.
 *
 * @param db The application's Kysely instance, or a transaction. It is never destroyed.
 * @param options See {@link KyselyAdapterOptions}.
 * @throws TypeError without an instance of Kysely, or if the dialect is not PostgreSQL, MySQL or SQLite.
 */
export function KyselyAdapter<DB extends Codegen>(
  // Subclasses are listed explicitly, because TypeScript 5 does not infer the database type from their members.
  db: Kysely<DB> | KyselyAuth<DB> | Transaction<DB>,
  options: KyselyAdapterOptions = {},
): Adapter {
  const { accountColumns = [], passkeyNames = false, transactions = true, warn = console.warn } = options;
  if (typeof Object(db).getExecutor !== "function")
    throw new TypeError(`KyselyAdapter() requires an instance of Kysely. It received ${typeof db}.`);
  const anyDb = assumeAnyKysely(db);
  const connection: Connection = { db: anyDb, kind: kindOf(anyDb), transactions };
  const tables = tablesOf(connection);
  if (!transactions) warn(WITHOUT_TRANSACTIONS);
  return {
    ...userMethods(connection, tables),
    ...(transactions && { ...signUpMethods(connection, accountColumns), ...removalMethods(connection) }),
    ...accountMethods(tables, accountColumns),
    ...sessionMethods(connection, tables),
    ...verificationTokenMethods(tables),
    ...authenticatorMethods(tables, passkeyNames),
    ...sessionInfoMethods(tables, connection.kind),
    ...credentialMethods(tables),
    store: tableStore(stateTable(connection), transactions ? stateLogTable(connection) : undefined),
  };
}

/** A cast: the methods refer to tables and columns by name. */
function assumeAnyKysely(db: object): AnyKysely {
  return db as AnyKysely;
}
