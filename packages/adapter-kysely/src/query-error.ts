/**
 * Error codes of unique key violations in PostgreSQL, MySQL and MariaDB. For SQLite the message is checked, because D1
 * returns no code.
 */
const DUPLICATE = ["23505", "ER_DUP_ENTRY"];

/**
 * Codes of a statement that the database ended because of another one at the same moment, with nothing of it done: serialization
 * failure and deadlock in PostgreSQL; deadlock in MySQL, a record that changed since it was read in MariaDB.
 */
const PASSING = ["40001", "40P01", "ER_LOCK_DEADLOCK", "ER_CHECKREAD"];

/** Codes of a SQLite that another connection writes to. */
const BUSY = ["SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT"];

/**
 * Work is attempted this often. In each round, at least one of the conflicting statements succeeds, so that as many concurrent ones all do,
 * however slow the database is. Drivers of SQLite without a busy timeout answer at once, and the connection that writes may be of this process: it needs turns of
 * the event loop to come to its end.
 */
const ATTEMPTS = 100;

/** The most milliseconds before the second attempt, and before any. Random, so that conflicting transactions do not meet again. */
const [PAUSE_MS, LONGEST_PAUSE_MS] = [25, 200];

/** An error and its causes, outermost first. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let one = error; one instanceof Error && causes.length < 5; one = one.cause) causes.push(one);
  return causes;
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return causesOf(error).some((one) => codes.includes(String(Reflect.get(one, "code"))));
}

/** Whether another connection was writing to a SQLite, so that nothing was done. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, BUSY);
}

/** Whether a write failed because its unique key already exists. */
export function isDuplicate(error: unknown): boolean {
  const inWords = causesOf(error).some(({ message }) => /\bUNIQUE constraint failed\b/.test(message));
  return inWords || hasCode(error, DUPLICATE);
}

/**
 * Whether a value is invalid for the type of its column, so that no row can match: PostgreSQL rejects invalid text for
 * a `uuid` column even in a condition (22P02).
 */
export function isImpossibleValue(error: unknown): boolean {
  return hasCode(error, ["22P02"]);
}

/** Codes of a table or column that is missing, in PostgreSQL, MySQL and MariaDB; SQLite says it in words. */
const MISSING = ["42P01", "42703", "ER_NO_SUCH_TABLE", "ER_BAD_FIELD_ERROR"];
const MISSING_IN_WORDS = /\bno such (?:table|column)\b|\bhas no column named\b/;

/** Codes of text for a column of numbers. */
const NO_NUMBER = ["22P02", "ER_TRUNCATED_WRONG_VALUE_FOR_FIELD"];

/** An error with a remedy. */
class Explained extends Error {
  override readonly name = "SchemaError";
}

/** What an error means for the schema, with what to do; undefined if it is another one. */
function remedyOf(error: unknown, isNewUser: boolean): string | undefined {
  const words = causesOf(error).map(({ message }) => message);
  if (hasCode(error, MISSING) || words.some((message) => MISSING_IN_WORDS.test(message)))
    return `the database lacks a table or a column: ${words.at(-1)}. \`npx @cardea/cli schema\` prints the SQL that adds it, and sql/ of this package has all tables.`;
  if (isNewUser && (hasCode(error, NO_NUMBER) || words.some((message) => /\bdatatype mismatch\b/.test(message))))
    return "the column `User.id` takes no text. KyselyAdapter() chooses the ids of users, as text: make it TEXT, VARCHAR or UUID, and `userId` in the other tables too.";
  return undefined;
}

/**
 * Names what the schema lacks, where that made a statement fail: Kysely does not know at startup which tables there are. The error of the
 * driver is the cause, and `code` is its code.
 */
export function explained(error: unknown, isNewUser = false): unknown {
  const remedy = error instanceof Explained ? undefined : remedyOf(error, isNewUser);
  if (remedy === undefined) return error;
  const code: unknown = Reflect.get(Object(error), "code");
  const explanation = new Explained(`KyselyAdapter(): ${remedy}`, { cause: error });
  return code === undefined ? explanation : Object.assign(explanation, { code });
}

/** Runs work, and retries it if the database aborted it because of concurrent work. */
export async function retryPassing<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isPassing = isBusy(error) || hasCode(error, PASSING);
      if (!isPassing || attempt >= ATTEMPTS) throw error;
      await new Promise((resolve) =>
        setTimeout(resolve, Math.random() * Math.min(attempt * PAUSE_MS, LONGEST_PAUSE_MS)),
      );
    }
  }
}
