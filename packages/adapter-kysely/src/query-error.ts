import { hasErrorCode } from "@cardea/core/adapters";

/**
 * Error codes of unique key violations in PostgreSQL, MySQL and MariaDB. For SQLite the message is checked, because D1
 * returns no code.
 */
const DUPLICATE = ["23505", "ER_DUP_ENTRY"];

/** Codes of a SQLite that another connection writes to. */
const BUSY = ["SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT"];

/** An error and its causes, outermost first. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let one = error; one instanceof Error && causes.length < 5; one = one.cause) causes.push(one);
  return causes;
}

/** Whether another connection was writing to a SQLite, so that nothing was done. */
export function isBusy(error: unknown): boolean {
  return hasErrorCode(error, BUSY);
}

/** Whether a write failed because its unique key already exists. */
export function isDuplicate(error: unknown): boolean {
  const inWords = causesOf(error).some(({ message }) => /\bUNIQUE constraint failed\b/.test(message));
  return inWords || hasErrorCode(error, DUPLICATE);
}

/**
 * Whether a value is invalid for the type of its column, so that no row can match: PostgreSQL rejects invalid text for
 * a `uuid` column even in a condition (22P02).
 */
export function isImpossibleValue(error: unknown): boolean {
  return hasErrorCode(error, ["22P02"]);
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
  if (hasErrorCode(error, MISSING) || words.some((message) => MISSING_IN_WORDS.test(message)))
    return `the database lacks a table or a column: ${words.at(-1)}. \`npx @cardea/cli schema\` prints the SQL that adds it, and sql/ of this package has all tables.`;
  if (isNewUser && (hasErrorCode(error, NO_NUMBER) || words.some((message) => /\bdatatype mismatch\b/.test(message))))
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
