import { retryPassing } from "@cardea/core/adapters";
import { codeOf } from "./write-rows.ts";

/**
 * Runs an operation or a transaction, and runs it again if the database ended it because of a concurrent one, with nothing of it done: a
 * deadlock or serialization failure (P2034), or a record that changed since it was read, in MariaDB from version 11.6 on (1020), for which
 * Prisma has no code.
 */
export function retryConflicts<T>(work: () => PromiseLike<T>): Promise<T> {
  return retryPassing(work, (error) => codeOf(error) === "P2034" || databaseCodeOf(error) === "1020");
}

/** The code that the database itself reported, if Prisma passes it on. */
function databaseCodeOf(error: unknown): string {
  let found: unknown = error;
  for (const name of ["meta", "driverAdapterError", "cause", "originalCode"]) found = Reflect.get(Object(found), name);
  return String(found);
}
