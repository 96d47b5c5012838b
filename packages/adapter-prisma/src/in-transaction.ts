import { isOfTransaction, type Models, modelsOf } from "./models-of.ts";
import type { PrismaClientLike } from "./prisma-client.ts";
import { retryConflicts } from "./retry-conflicts.ts";

/**
 * Runs work in a transaction, again if the database aborted it. If the client already is a transaction client, only the application can
 * run its transaction again.
 */
export async function inTransaction<T>(client: PrismaClientLike, work: (models: Models) => Promise<T>): Promise<T> {
  const begin: unknown = Reflect.get(client, "$transaction");
  if (typeof begin !== "function") return work(modelsOf(client));
  const transact = (): Promise<T> =>
    Reflect.apply(begin, client, [(transaction: PrismaClientLike) => work(modelsOf(transaction))]);
  return isOfTransaction(client) ? transact() : retryConflicts(transact);
}
