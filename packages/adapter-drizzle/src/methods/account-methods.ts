import type { Adapter } from "@cardea/core/adapters";
import { and, isNull, type SQL } from "drizzle-orm";
import type { OpenDatabase } from "../database.ts";
import { rowsOf } from "../rows.ts";
import type { Tables } from "../tables/tables.ts";
import { columnOf, isExactly, requireText, whereText } from "../where.ts";
import { toAccount } from "./to-records.ts";

interface AccountKey {
  readonly provider: string;
  readonly providerAccountId: string;
}

/** Accounts. */
export function accountMethods(database: OpenDatabase, { accountsTable }: Tables) {
  const { dialect } = database;
  const accounts = rowsOf(database, accountsTable);
  const byKey = ({ provider, providerAccountId }: AccountKey): SQL =>
    whereText(dialect, accountsTable, { provider, providerAccountId });
  return {
    async linkAccount(account) {
      return toAccount(await accounts.insert(account, byKey(account)));
    },
    async unlinkAccount(key) {
      await accounts.remove(byKey(key));
    },
    async getAccount(providerAccountId, provider) {
      const row = await accounts.find(byKey({ provider, providerAccountId }));
      return row && toAccount(row);
    },
    async listAccountsByUserId(userId) {
      return (await accounts.list(whereText(dialect, accountsTable, { userId }))).map(toAccount);
    },
    async updateAccount({ provider, providerAccountId, ...changes }) {
      const row = await accounts.update(changes, byKey({ provider, providerAccountId }));
      return row && toAccount(row);
    },
    async swapAccountTokens({ expected, tokens, ...key }) {
      const column = columnOf(accountsTable, "refresh_token");
      const asRead = expected === null ? isNull(column) : isExactly(dialect, column, requireText(expected, "expected"));
      return (await accounts.change(tokens, and(byKey(key), asRead) ?? asRead)) === 1;
    },
  } satisfies Adapter;
}
