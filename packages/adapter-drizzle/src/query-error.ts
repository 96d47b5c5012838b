import { DrizzleQueryError } from "drizzle-orm";

/** Members of a driver's error that say what happened, and hold no value of a row. */
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

/** From this length on a value is removed from messages: shorter ones are parts of words. */
const MIN_LENGTH = 4;

/**
 * The error without the values of its query. Drizzle puts all of them into the message of a failed query, and drivers repeat some:
 * tokens, hashes and addresses, which a log must not hold.
 */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error;
  const texts = error.params.map(String).filter((text) => text.length >= MIN_LENGTH);
  const remove = (text: string): string => texts.reduce((result, value) => result.replaceAll(value, "?"), text);
  const cause: unknown = error.cause;
  const copy = new DrizzleQueryError(error.query, [], cause instanceof Error ? copyCause(cause, remove) : undefined);
  return copy;
}

function copyCause(cause: Error, remove: (text: string) => string): Error {
  const copy: Error = Object.create(Object.getPrototypeOf(cause));
  const define = (name: string, value: unknown, enumerable: boolean) =>
    Object.defineProperty(copy, name, { value, enumerable, writable: true, configurable: true });
  define("name", cause.name, false);
  define("message", remove(cause.message), false);
  define("stack", remove(cause.stack ?? ""), false);
  for (const name of KEPT) {
    if (Object.hasOwn(cause, name)) define(name, Reflect.get(cause, name), true);
  }
  return copy;
}

/** The result of a query; a failed one rejects without its values. */
export async function run<T>(work: () => PromiseLike<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withoutValues(error);
  }
}

/** Each member of an error and its causes that says what kind it is. */
function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  for (let one = error, depth = 0; typeof one === "object" && one !== null && depth < 5; depth++) {
    codes.push(...["code", "errno"].map((name) => String(Reflect.get(Object(one), name))));
    one = Reflect.get(one, "cause");
  }
  return codes;
}

/** Whether a write failed because there is a row with its key already; of MySQL only, where an insert cannot be told to wait for that. */
export function isDuplicate(error: unknown): boolean {
  return codesOf(error).some((code) => code === "ER_DUP_ENTRY" || code === "1062");
}

/** A deadlock, a conflict of transactions, a database that another process is writing to. */
const PASSING = [
  "40001",
  "40P01",
  "ER_LOCK_DEADLOCK",
  "1213",
  "ER_CHECKREAD",
  "1020",
  "SQLITE_BUSY",
  "SQLITE_BUSY_SNAPSHOT",
];

/** Does a step again that failed because of another one at the same moment; nothing of it was done. */
export async function retryPassing<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 8 || !codesOf(error).some((code) => PASSING.includes(code))) throw error;
    }
  }
}
