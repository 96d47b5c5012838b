import { type Adapter, decideRemoval, tablesOfRemoval } from "@cardea/core/adapters";
import { inTransaction } from "./in-transaction.ts";
import type { Model, Models } from "./models-of.ts";
import type { PrismaClientLike } from "./prisma-client.ts";
import { ownId, requireText } from "./write-rows.ts";

/** Databases without a lock that a transaction could hold: the id of a document cannot be written. */
const WITHOUT_LOCKS: readonly unknown[] = ["mongodb"];

/** Whether the database can let one caller after the other remove ways to sign in. */
export function canLockUsers(client: PrismaClientLike): boolean {
  return !WITHOUT_LOCKS.includes(Reflect.get(client, "_activeProvider"));
}

/** Removes ways to sign in, one caller at a time for each user. */
export function removalMethods(client: PrismaClientLike) {
  return {
    removeSignInMethod(removal) {
      const needed = tablesOfRemoval(removal);
      return inTransaction(client, async (models) => {
        const { user, account, authenticator, credential } = models;
        const id = ownId(user, "id", removal.userId);
        // Locks the row until the end: the next caller counts what this one leaves. It comes first, so that MySQL takes no snapshot before.
        await user.updateMany({ where: { id }, data: { id } });
        const of = async <Row>(model: Model<Row> | undefined, isNeeded: boolean) =>
          model !== undefined && isNeeded ? model.findMany({ where: { userId: ownId(model, "userId", id) } }) : [];
        const outcome = decideRemoval(removal, {
          user: await user.findUnique({ where: { id } }),
          accounts: await of(account, needed.accounts),
          authenticators: await of(authenticator, needed.authenticators),
          credentials: await of(credential, needed.credentials),
        });
        if (outcome === "removed") await removeAll(models, removal);
        return outcome;
      });
    },
  } satisfies Adapter;
}

async function removeAll(
  { account, authenticator, credential }: Models,
  removal: Parameters<NonNullable<Adapter["removeSignInMethod"]>>[0],
): Promise<void> {
  const owned = (model: Model<unknown>) => ({ userId: ownId(model, "userId", removal.userId) });
  for (const key of removal.accounts) {
    const provider = requireText(key.provider, "provider");
    const providerAccountId = requireText(key.providerAccountId, "providerAccountId");
    if (account) await account.deleteMany({ where: { ...owned(account), provider, providerAccountId } });
  }
  for (const credentialID of removal.authenticators) {
    const key = { credentialID: requireText(credentialID, "credentialID") };
    if (authenticator) await authenticator.deleteMany({ where: { ...owned(authenticator), ...key } });
  }
  for (const id of removal.credentials) {
    const key = { id: requireText(id, "id") };
    if (credential) await credential.deleteMany({ where: { ...owned(credential), ...key } });
  }
}
