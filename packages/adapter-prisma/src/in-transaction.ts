import { type Models, modelsOf } from "./models-of.ts";
import type { PrismaClientLike } from "./prisma-client.ts";

/** Does all of the work or nothing of it. A client that is the client of a transaction already begins no other. */
export async function inTransaction<T>(client: PrismaClientLike, work: (models: Models) => Promise<T>): Promise<T> {
  const begin: unknown = Reflect.get(client, "$transaction");
  if (typeof begin !== "function") return work(modelsOf(client));
  return Reflect.apply(begin, client, [(transaction: PrismaClientLike) => work(modelsOf(transaction))]);
}
