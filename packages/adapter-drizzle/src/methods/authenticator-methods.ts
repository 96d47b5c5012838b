import type { Adapter } from "@cardea/core/adapters";
import { sql } from "drizzle-orm";
import type { OpenDatabase } from "../database.ts";
import { rowsOf } from "../rows.ts";
import { NAME_COLUMNS } from "../tables/resolve-tables.ts";
import type { Tables } from "../tables/tables.ts";
import { columnOf, findColumn, whereText } from "../where.ts";
import { toAuthenticator } from "./to-records.ts";

/** Passkeys and security keys. */
export function authenticatorMethods(database: OpenDatabase, { authenticatorsTable }: Tables) {
  const authenticators = rowsOf(database, authenticatorsTable);
  const isNamed = NAME_COLUMNS.every((name) => findColumn(authenticatorsTable, name) !== undefined);
  const byId = (credentialID: string) => whereText(database.dialect, authenticatorsTable, { credentialID });
  return {
    async createAuthenticator(authenticator) {
      return toAuthenticator(await authenticators.insert(authenticator, byId(authenticator.credentialID)));
    },
    async getAuthenticator(credentialID) {
      const row = await authenticators.find(byId(credentialID));
      return row && toAuthenticator(row);
    },
    async listAuthenticatorsByUserId(userId) {
      const where = whereText(database.dialect, authenticatorsTable, { userId });
      return (await authenticators.list(where)).map(toAuthenticator);
    },
    async updateAuthenticatorCounter(credentialID, counter) {
      // The counter never decreases, even if two sign-ins overtake each other.
      const column = columnOf(authenticatorsTable, "counter");
      const greatest = sql`case when ${column} < ${counter} then ${counter} else ${column} end`;
      const row = await authenticators.update({ counter: greatest }, byId(credentialID));
      if (row === null) throw new Error("No authenticator with this credential id exists.");
      return toAuthenticator(row);
    },
    ...(isNamed && {
      async updateAuthenticator({ credentialID, ...change }) {
        const row = await authenticators.update(change, byId(credentialID));
        return row && toAuthenticator(row);
      },
    }),
  } satisfies Adapter;
}
