import { codeOf } from "./write-rows.ts";

/**
 * Work is attempted this often. In each round, at least one of the conflicting operations succeeds, so that as many concurrent ones all do,
 * however slow the database is.
 */
const ATTEMPTS = 100;

/** The most milliseconds before the second attempt, and before any. Random, so that conflicting transactions do not meet again. */
const [PAUSE_MS, LONGEST_PAUSE_MS] = [25, 200];

/**
 * Whether the database ended an operation or transaction because of a concurrent one, with nothing of it done: a deadlock or serialization
 * failure (P2034), or a record that changed since it was read, in MariaDB from version 11.6 on (1020), for which Prisma has no code.
 */
function isPassing(error: unknown): boolean {
  return codeOf(error) === "P2034" || databaseCodeOf(error) === "1020";
}

/** The code that the database itself reported, if Prisma passes it on. */
function databaseCodeOf(error: unknown): string {
  let found: unknown = error;
  for (const name of ["meta", "driverAdapterError", "cause", "originalCode"]) found = Reflect.get(Object(found), name);
  return String(found);
}

/** Runs work, and retries it if the database aborted it because of concurrent work. */
export async function retryPassing<T>(
  work: () => PromiseLike<T>,
  isToRetry: (error: unknown) => boolean = isPassing,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isToRetry(error) || attempt >= ATTEMPTS) throw error;
      await new Promise((resolve) =>
        setTimeout(resolve, Math.random() * Math.min(attempt * PAUSE_MS, LONGEST_PAUSE_MS)),
      );
    }
  }
}
