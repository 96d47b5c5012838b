import type { Adapter } from "@cardea/core/adapters";
import { onlyColumns } from "./account-methods.ts";
import { type Connection, inTransaction } from "./connection.ts";
import { tablesOf } from "./tables.ts";
import { insertUser, newUser } from "./user-methods.ts";

/** Creates all records of a new user, or none. */
export function signUpMethods(connection: Connection, further: readonly string[]) {
  return {
    createUserWithAccount(given, account, authenticator) {
      return inTransaction(connection, async (transaction) => {
        const { users, accounts, authenticators } = tablesOf(transaction);
        const user = newUser(given);
        await insertUser(users, user);
        await accounts.insert(onlyColumns({ ...account, userId: user.id }, further));
        if (authenticator !== undefined) await authenticators.insert({ ...authenticator, userId: user.id });
        return user;
      });
    },
  } satisfies Adapter;
}
