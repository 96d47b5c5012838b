/** Codes of a unique key that is taken: PostgreSQL, MySQL and MariaDB. SQLite says it in words, of which D1 gives no code. */
const DUPLICATE = ["23505", "ER_DUP_ENTRY"];

/**
 * Codes of a statement that the database ended because of another one at the same moment, with nothing of it done: serialization
 * failure and deadlock in PostgreSQL; deadlock in MySQL, a record that changed since it was read in MariaDB; a busy SQLite.
 */
const PASSING = ["40001", "40P01", "ER_LOCK_DEADLOCK", "ER_CHECKREAD", "SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT"];

/** How often a statement is attempted. Each time at least one of those that wait for each other gets through. */
const ATTEMPTS = 20;

/** An error and what it was caused by, outermost first. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let one = error; one instanceof Error && causes.length < 5; one = one.cause) causes.push(one);
  return causes;
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return causesOf(error).some((one) => codes.includes(String(Reflect.get(one, "code"))));
}

/** Whether a write failed because its unique key is taken. */
export function isDuplicate(error: unknown): boolean {
  const inWords = causesOf(error).some(({ message }) => /\bUNIQUE constraint failed\b/.test(message));
  return inWords || hasCode(error, DUPLICATE);
}

/**
 * Whether a value has not the form of its column, so that no row has it: in PostgreSQL a column of type `uuid` rejects other text,
 * also in a condition (22P02).
 */
export function isImpossibleValue(error: unknown): boolean {
  return hasCode(error, ["22P02"]);
}

/** Does some work, and again where the database ended it because of other work at the same moment. */
export async function retryPassing<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !hasCode(error, PASSING)) throw error;
    }
  }
}
