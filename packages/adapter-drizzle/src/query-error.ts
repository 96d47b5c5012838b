import type { OpenDatabase } from "./database.ts";

/** Members of a driver error that describe it without containing row values. */
const KEPT = [
  "code",
  "errno",
  "sqlState",
  "severity",
  "extendedCode",
  "rawCode",
  "schema",
  "table",
  "column",
  "constraint",
];

/** Values of at least this length are removed from messages; shorter ones may be parts of words. */
const MIN_LENGTH = 4;

/** Drizzle's error of a failed query, of whichever copy of Drizzle the application has: it is recognised by its members. */
interface QueryError extends Error {
  readonly query: string;
  readonly params: readonly unknown[];
}

function isQueryError(error: unknown): error is QueryError {
  const { query, params }: Partial<Record<keyof QueryError, unknown>> = Object(error);
  return typeof query === "string" && Array.isArray(params);
}

/**
 * Removes query values from an error. Drizzle includes all of them in the message of a failed query, and drivers repeat
 * some: tokens, hashes and addresses, which must not be logged.
 */
function withoutValues(error: unknown): unknown {
  if (!isQueryError(error)) return error;
  const texts = error.params.map(String).filter((text) => text.length >= MIN_LENGTH);
  const remove = (text: string): string => texts.reduce((result, value) => result.replaceAll(value, "?"), text);
  const message = `Failed query: ${error.query}\nparams: `;
  const copy = copyError(error, { message, stack: remove(error.stack ?? "").replace(error.message, message) }, [
    "query",
  ]);
  const { cause } = error;
  const isKnown = typeof cause === "object" && cause !== null && "message" in cause;
  // A cast: every error of a driver has these members.
  const inner = isKnown ? copyCause(cause as Error, remove) : undefined;
  return Object.assign(copy, { params: [], ...(inner === undefined ? {} : { cause: inner }) });
}

function copyCause(cause: Error, remove: (text: string) => string): Error {
  return copyError(cause, { message: remove(cause.message), stack: remove(cause.stack ?? "") }, KEPT);
}

function copyError(error: Error, { message, stack }: Readonly<Record<string, string>>, kept: readonly string[]): Error {
  const copy: Error = Object.create(Object.getPrototypeOf(error));
  const define = (name: string, value: unknown, enumerable: boolean) =>
    Object.defineProperty(copy, name, { value, enumerable, writable: true, configurable: true });
  define("name", error.name, false);
  define("message", message, false);
  define("stack", stack, false);
  for (const name of kept) {
    if (Object.hasOwn(error, name)) define(name, Reflect.get(error, name), true);
  }
  return copy;
}

/**
 * Runs a query, and runs it again if it failed without effect because of a concurrent one. Not in a transaction of the application: MySQL
 * has ended all of it, so that the query alone would be written. Rejects without the query values.
 */
export function run<T>({ isOfTransaction }: OpenDatabase, work: () => PromiseLike<T> | T): Promise<T> {
  const attempt = async () => {
    try {
      return await work();
    } catch (error) {
      throw withoutValues(error);
    }
  };
  return isOfTransaction ? attempt() : retryPassing(attempt);
}

/** The codes of an error and its causes. */
function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  for (let one = error, depth = 0; typeof one === "object" && one !== null && depth < 5; depth++) {
    codes.push(...["code", "errno"].map((name) => String(Reflect.get(Object(one), name))));
    one = Reflect.get(one, "cause");
  }
  return codes;
}

/** Whether a write failed because its key already exists. Only for MySQL, whose inserts cannot ignore this case. */
export function isDuplicate(error: unknown): boolean {
  return codesOf(error).some((code) => code === "ER_DUP_ENTRY" || code === "1062");
}

/**
 * Codes of a statement that the database ended because of another one at the same moment, with nothing of it done: serialization failure
 * and deadlock in PostgreSQL; deadlock in MySQL, a record that changed since it was read in MariaDB. Above READ COMMITTED, single
 * statements end like this too.
 */
const PASSING = ["40001", "40P01", "ER_LOCK_DEADLOCK", "1213", "ER_CHECKREAD", "1020"];

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

/** Runs work, and retries it if the database aborted it because of concurrent work. */
export async function retryPassing<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const codes = codesOf(error);
      const isPassing = codes.some((code) => PASSING.includes(code) || BUSY.includes(code));
      if (!isPassing || attempt >= ATTEMPTS) throw error;
      await new Promise((resolve) =>
        setTimeout(resolve, Math.random() * Math.min(attempt * PAUSE_MS, LONGEST_PAUSE_MS)),
      );
    }
  }
}
