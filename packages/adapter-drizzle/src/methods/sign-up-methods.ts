import type { Adapter, AdapterUser } from "@cardea/core/adapters";
import type { AnyTable, OpenDatabase, Row } from "../database.ts";
import { inOneStep, type Part, returning } from "../in-one-step.ts";
import { requireRows } from "../results.ts";
import type { Tables } from "../tables/tables.ts";
import { onlyColumns, whereText } from "../where.ts";
import { draftUser, isIdMadeByDatabase } from "./draft-user.ts";
import { toUser } from "./to-records.ts";

/** Whether the driver can create a user, their account and its passkey in one step. */
export function canSignUpInOneStep(database: OpenDatabase, { usersTable }: Tables): boolean {
  if (database.steps === "none") return false;
  // All statements of a batch are built before the first one runs.
  return database.steps !== "batch" || !isIdMadeByDatabase(database, usersTable);
}

/** Creates all records of a new user, or none. */
export function signUpMethods(database: OpenDatabase, tables: Tables) {
  return {
    async createUserWithAccount(user, account, authenticator) {
      const { usersTable, accountsTable, authenticatorsTable } = tables;
      const { row, id } = draftUser(database, usersTable, user);
      const insert = (table: AnyTable, values: object): Part => {
        return (db, done) => {
          const owner = table === usersTable ? {} : { userId: id ?? madeId(done) };
          return returning(database, db.insert(table).values(onlyColumns({ ...values, ...owner }, table)));
        };
      };
      const results = await inOneStep(database, [
        insert(usersTable, row),
        insert(accountsTable, account),
        ...(authenticator === undefined ? [] : [insert(authenticatorsTable, authenticator)]),
        ...(database.dialect === "mysql"
          ? [
              (db: OpenDatabase["db"]) =>
                db
                  .select()
                  .from(usersTable)
                  .where(whereText("mysql", usersTable, { id })),
            ]
          : []),
      ]);
      return readUser(results.at(database.dialect === "mysql" ? -1 : 0));
    },
  } satisfies Adapter;
}

function madeId(done: readonly unknown[]): unknown {
  return requireRows(done[0])[0]?.id;
}

function readUser(result: unknown): AdapterUser {
  const user: Row | undefined = requireRows(result)[0];
  if (user === undefined) throw new TypeError("The created user was not found in the database.");
  return toUser(user);
}
