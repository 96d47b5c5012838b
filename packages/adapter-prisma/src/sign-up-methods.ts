import type { Adapter, AdapterAccount, AdapterUser } from "@cardea/core/adapters";
import { inTransaction } from "./in-transaction.ts";
import { type Models, modelsOf } from "./models-of.ts";
import type { PrismaClientLike } from "./prisma-client.ts";
import { userIn } from "./to-records.ts";
import { onlyColumns, ownColumns, withoutUndefined } from "./write-rows.ts";

/** Creates all records of a new user, or none. */
export function signUpMethods(client: PrismaClientLike) {
  return {
    async createUserWithAccount(user, account, authenticator) {
      if (authenticator === undefined) return insert(modelsOf(client), user, account);
      return inTransaction(client, async (models) => {
        const made = await insert(models, user, account);
        await models.authenticator?.create({ data: withoutUndefined({ ...authenticator, userId: made.id }) });
        return made;
      });
    },
  } satisfies Adapter;
}

/** One nested write, which is a transaction in every database. */
async function insert(
  { user: users, account: accounts }: Models,
  { id: _proposed, ...user }: AdapterUser,
  account: Omit<AdapterAccount, "userId">,
): Promise<AdapterUser> {
  if (accounts === undefined) throw new TypeError("The client has no model for accounts.");
  const data = { ...onlyColumns(account, accounts), [accounts.owner]: { create: ownColumns(user, users) } };
  return userIn(await accounts.create({ data, include: { [accounts.owner]: true } }), accounts);
}
