import type { Adapter } from "@cardea/core/adapters";
import type { OpenDatabase } from "../database.ts";
import { rowsOf } from "../rows.ts";
import type { Tables } from "../tables/tables.ts";
import { whereText } from "../where.ts";
import { toVerificationToken } from "./to-records.ts";

interface TokenKey {
  readonly identifier: string;
  readonly token: string;
}

/** Pending e-mail sign-ins. */
export function verificationTokenMethods(database: OpenDatabase, { verificationTokensTable }: Tables) {
  const tokens = rowsOf(database, verificationTokensTable);
  const byKey = ({ identifier, token }: TokenKey) =>
    whereText(database.dialect, verificationTokensTable, { identifier, token });
  return {
    async createVerificationToken(token) {
      return toVerificationToken(await tokens.insert(token, byKey(token)));
    },
    /** Of several callers, the one whose statement deleted the row has consumed the token. */
    async useVerificationToken(key) {
      const row = await tokens.take(byKey(key));
      return row && toVerificationToken(row);
    },
  } satisfies Adapter;
}
