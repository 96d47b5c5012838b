import type { Adapter } from "@cardea/core/adapters";
import type { Kysely, Transaction } from "kysely";
import { accountMethods } from "./account-methods.ts";
import { authenticatorMethods } from "./authenticator-methods.ts";
import { type AnyKysely, type Connection, kindOf } from "./connection.ts";
import { credentialMethods } from "./credential-methods.ts";
import type { Codegen, KyselyAuth } from "./database.ts";
import { sessionInfoMethods } from "./session-info-methods.ts";
import { sessionMethods } from "./session-methods.ts";
import { signUpMethods } from "./sign-up-methods.ts";
import { kyselyStore } from "./store/kysely-store.ts";
import { tablesOf } from "./tables.ts";
import { userMethods } from "./user-methods.ts";
import { verificationTokenMethods } from "./verification-token-methods.ts";

/** Options of {@link KyselyAdapter}. */
export interface KyselyAdapterOptions {
  /** Columns of `Account` besides those of Auth.js, such as `refresh_token_expires_in`. Members of an account without a column are not stored. */
  readonly accountColumns?: readonly string[];
  /**
   * False for a dialect without transactions, such as D1 and drivers over HTTP. The adapter then has no `createUserWithAccount`, its
   * store has no log, and `warn` says which guarantees that costs. Default true: what needs a transaction rejects if none can begin.
   */
  readonly transactions?: boolean;
  /** Receives the warning of `transactions: false`, once. Default `console.warn`. */
  readonly warn?: (message: string) => void;
}

const WITHOUT_TRANSACTIONS =
  "KyselyAdapter() runs without transactions. A user and their first account are not created in one step: if the process is killed " +
  "in between, a user without an account stays and blocks the e-mail address. The store has no log: an extension that needs one " +
  "fails at startup. Every single write is still decided by the database.";

/**
 * Stores users, accounts, sessions, e-mail sign-ins and passkeys in the database of a Kysely instance, in the tables of
 * `@auth/kysely-adapter` and those that extensions add (`sql/` of this package). A table that is missing matters once it is used:
 * the method then rejects with the database's error.
 *
 * Each method rejects with the driver's error if the database fails or if a unique key exists already. `updateUser` and
 * `updateAuthenticatorCounter` reject if there is no such row.
 *
 * @param db the application's Kysely instance, or a transaction. It is never destroyed.
 * @param options see {@link KyselyAdapterOptions}.
 * @throws TypeError if the dialect is not PostgreSQL, MySQL or SQLite.
 */
export function KyselyAdapter<DB extends Codegen>(
  // Its subclasses are named: from their members alone, TypeScript 5 does not infer the interface of the database.
  db: Kysely<DB> | KyselyAuth<DB> | Transaction<DB>,
  options: KyselyAdapterOptions = {},
): Adapter {
  const { accountColumns = [], transactions = true, warn = console.warn } = options;
  const anyDb = assumeAnyKysely(db);
  const connection: Connection = { db: anyDb, kind: kindOf(anyDb), transactions };
  const tables = tablesOf(connection);
  if (!transactions) warn(WITHOUT_TRANSACTIONS);
  return {
    ...userMethods(connection, tables),
    ...(transactions && signUpMethods(connection, accountColumns)),
    ...accountMethods(tables, accountColumns),
    ...sessionMethods(connection, tables),
    ...verificationTokenMethods(tables),
    ...authenticatorMethods(tables),
    ...sessionInfoMethods(tables),
    ...credentialMethods(tables),
    store: kyselyStore(connection),
  };
}

/** A cast: the methods name tables and columns by text. */
function assumeAnyKysely(db: object): AnyKysely {
  return db as AnyKysely;
}
