/**
 * Codes of a statement that the database ended because of another one at the same moment, with nothing of it done: serialization failure
 * and deadlock in PostgreSQL; deadlock in MySQL, a record that changed since it was read in MariaDB; a SQLite that another connection
 * writes to. Above READ COMMITTED, single statements end like this too.
 */
const PASSING = [
  ...["40001", "40P01"],
  ...["ER_LOCK_DEADLOCK", "1213", "ER_CHECKREAD", "1020"],
  ...["SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT"],
];

/**
 * Work is attempted this often. In each round, at least one of the conflicting statements succeeds, so that as many concurrent ones all do,
 * however slow the database is. Drivers of SQLite without a busy timeout answer at once, and the connection that writes may be of this process: it needs turns of
 * the event loop to come to its end.
 */
const ATTEMPTS = 100;

/** The most milliseconds before the second attempt, and before any. Random, so that conflicting transactions do not meet again. */
const [PAUSE_MS, LONGEST_PAUSE_MS] = [25, 200];

/** How far causes are followed. */
const MAX_DEPTH = 5;

/**
 * Runs a statement or a transaction of a database, and runs it again if the database ended it because of a concurrent one.
 *
 * @param isPassing whether an error is such an end. Default: by the codes of the drivers of PostgreSQL, MySQL, MariaDB and SQLite.
 */
export async function retryPassing<T>(
  work: () => PromiseLike<T>,
  isPassing: (error: unknown) => boolean = (error) => hasErrorCode(error, PASSING),
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || attempt >= ATTEMPTS) throw error;
      await new Promise((resolve) =>
        setTimeout(resolve, Math.random() * Math.min(attempt * PAUSE_MS, LONGEST_PAUSE_MS)),
      );
    }
  }
}

/** Whether an error of a database driver, or one of its causes, has one of these values as its `code` or `errno`. */
export function hasErrorCode(error: unknown, codes: readonly string[]): boolean {
  let one = error;
  for (let depth = 0; typeof one === "object" && one !== null && depth < MAX_DEPTH; depth++) {
    const { code, errno, cause }: { code?: unknown; errno?: unknown; cause?: unknown } = one;
    if (codes.includes(String(code)) || codes.includes(String(errno))) return true;
    one = cause;
  }
  return false;
}
