import type { Adapter, AdapterAccount } from "@cardea/core/adapters";
import type { AccountRow, Tables } from "./tables.ts";

/** The columns of an account in the tables of Auth.js. */
const COLUMNS: readonly string[] = [
  ...["userId", "type", "provider", "providerAccountId", "refresh_token", "access_token", "expires_at"],
  ...["token_type", "scope", "id_token", "session_state"],
];

/** The members of an account that have a column; providers may send additional ones. */
export function onlyColumns(account: object, further: readonly string[]): object {
  const has = (name: string): boolean => COLUMNS.includes(name) || further.includes(name);
  return Object.fromEntries(Object.entries(account).filter(([name]) => has(name)));
}

/** An account as expected by core: without empty columns and without the row id. */
function toAccount({ id: _row, ...columns }: AccountRow): AdapterAccount {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null)) as AdapterAccount;
}

/** Finds one account by its id. */
function accountKey({ provider, providerAccountId }: Pick<AccountRow, "provider" | "providerAccountId">) {
  return { provider, providerAccountId };
}

/**
 * Accounts.
 *
 * @param further Additional columns of the table.
 */
export function accountMethods({ accounts }: Tables, further: readonly string[]) {
  return {
    async linkAccount(account) {
      await accounts.insert(onlyColumns(account, further));
      return account;
    },
    async unlinkAccount(key) {
      await accounts.remove(accountKey(key));
    },
    async getAccount(providerAccountId, provider) {
      const row = await accounts.find({ provider, providerAccountId });
      return row && toAccount(row);
    },
    listAccountsByUserId: async (userId) => (await accounts.list({ userId })).map(toAccount),
    async updateAccount({ provider, providerAccountId, ...changes }) {
      const row = await accounts.updateAndRead({ provider, providerAccountId }, onlyColumns(changes, further));
      return row && toAccount(row);
    },
    async swapAccountTokens({ expected, tokens, ...key }) {
      const changes = onlyColumns(tokens, further);
      if (expected !== null) {
        return (await accounts.update({ ...accountKey(key), refresh_token: expected }, changes)) === 1;
      }
      return (await accounts.update(accountKey(key), changes, (row) => row("refresh_token", "is", null))) === 1;
    },
  } satisfies Adapter;
}
