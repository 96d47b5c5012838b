import { type Models, modelsOf } from "./models-of.ts";
import type { PrismaClientLike } from "./prisma-client.ts";

/** Runs work in a transaction. If the client already is a transaction client, no other transaction is started. */
export async function inTransaction<T>(client: PrismaClientLike, work: (models: Models) => Promise<T>): Promise<T> {
  const begin: unknown = Reflect.get(client, "$transaction");
  if (typeof begin !== "function") return work(modelsOf(client));
  return Reflect.apply(begin, client, [(transaction: PrismaClientLike) => work(modelsOf(transaction))]);
}
