import { type Adapter, decideRemoval, tablesOfRemoval } from "@cardea/core/adapters";
import { type Connection, inTransaction } from "./connection.ts";
import { requireText } from "./table.ts";
import { tablesOf } from "./tables.ts";

/** Removes ways to sign in, one caller at a time for each user. */
export function removalMethods(connection: Connection) {
  return {
    removeSignInMethod(removal) {
      const userId = requireText(removal.userId, "userId");
      const needed = tablesOfRemoval(removal);
      return inTransaction(connection, async (transaction) => {
        const { users, accounts, authenticators, credentials } = tablesOf(transaction);
        // Locks the row until the end: the next caller counts what this one leaves. It comes first, so that MySQL takes no snapshot before.
        await users.update({ id: userId }, { id: userId });
        const outcome = decideRemoval(removal, {
          user: await users.find({ id: userId }),
          accounts: needed.accounts ? await accounts.list({ userId }) : [],
          authenticators: needed.authenticators ? await authenticators.list({ userId }) : [],
          credentials: needed.credentials ? await credentials.list({ userId }) : [],
        });
        if (outcome !== "removed") return outcome;
        for (const { provider, providerAccountId } of removal.accounts)
          await accounts.remove({ userId, provider, providerAccountId });
        for (const credentialID of removal.authenticators) await authenticators.remove({ userId, credentialID });
        for (const id of removal.credentials) await credentials.remove({ userId, id });
        return outcome;
      });
    },
  } satisfies Adapter;
}
