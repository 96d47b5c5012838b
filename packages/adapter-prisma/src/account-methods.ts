import type { Adapter } from "@cardea/core/adapters";
import type { AccountRow, Model } from "./models-of.ts";
import { toAccount, userIn } from "./to-records.ts";
import { ifThere, onlyColumns, ownId, requireText, withOwnId } from "./write-rows.ts";

interface AccountKey {
  readonly provider: string;
  readonly providerAccountId: string;
}

/** Finds one account by its id. */
function keyOf({ provider, providerAccountId }: AccountKey) {
  const key = {
    provider: requireText(provider, "provider"),
    providerAccountId: requireText(providerAccountId, "providerAccountId"),
  };
  return key;
}

/**
 * Whether a row is the requested account. By default, MySQL also finds ids that differ in case, accents or trailing spaces,
 * which are accounts of other users.
 */
function isAccount(row: AccountKey, key: AccountKey): boolean {
  return row.provider === key.provider && row.providerAccountId === key.providerAccountId;
}

/** Accounts, and users by account. */
export function accountMethods(accounts: Model<AccountRow>) {
  const accountKey = (key: AccountKey) => ({ [accounts.key]: keyOf(key) });
  return {
    async linkAccount(account) {
      return toAccount(await accounts.create({ data: withOwnId(onlyColumns(account, accounts), accounts) }));
    },
    async getUserByAccount(key) {
      const select = { provider: true, providerAccountId: true, [accounts.owner]: true } as const;
      const row = await accounts.findUnique({ where: accountKey(key), select });
      return row && isAccount(row, key) ? userIn(row, accounts) : null;
    },
    async unlinkAccount(key) {
      await accounts.deleteMany({ where: keyOf(key) });
    },
    async getAccount(providerAccountId, provider) {
      const key = { provider, providerAccountId };
      const row = await accounts.findUnique({ where: accountKey(key) });
      return row && isAccount(row, key) ? toAccount(row) : null;
    },
    async listAccountsByUserId(userId) {
      const rows = await accounts.findMany({ where: { userId: ownId(accounts, "userId", userId) } });
      return rows.map(toAccount);
    },
    async updateAccount(account) {
      const { provider: _provider, providerAccountId: _id, ...changes } = account;
      const data = onlyColumns(changes, accounts);
      const row = await ifThere(accounts.update({ where: accountKey(account), data }));
      return row && toAccount(row);
    },
    async swapAccountTokens({ expected, tokens, ...key }) {
      const row = await accounts.findUnique({ where: accountKey(key) });
      // MySQL ignores case and trailing spaces when it compares text, so the text is compared here, and again in the
      // write.
      if (row === null || !isAccount(row, key) || (row.refresh_token ?? null) !== expected) return false;
      const { provider, providerAccountId } = row;
      const where = { provider, providerAccountId, refresh_token: expected };
      const { count } = await accounts.updateMany({ where, data: onlyColumns(tokens, accounts) });
      return count === 1;
    },
  } satisfies Adapter;
}
