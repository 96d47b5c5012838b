import { DrizzleQueryError } from "drizzle-orm";

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

/**
 * Removes query values from an error. Drizzle includes all of them in the message of a failed query, and drivers repeat
 * some: tokens, hashes and addresses, which must not be logged.
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

/** Runs a query. If it fails, rejects without the query values. */
export async function run<T>(work: () => PromiseLike<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withoutValues(error);
  }
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

/** A deadlock, a conflict of transactions. */
const PASSING = ["40001", "40P01", "ER_LOCK_DEADLOCK", "1213", "ER_CHECKREAD", "1020"];

/** A SQLite that another connection writes to. */
const BUSY = ["SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT"];

/**
 * Milliseconds that a busy SQLite is waited for, and the most between two tries. Drivers without a busy timeout answer at once, and the
 * connection that writes may be of this process: it needs turns of the event loop to come to its end.
 */
const BUSY_MS = 5_000;
const BUSY_PAUSE_MS = 25;

/** Retries a step that failed without effect because of a concurrent one. */
export async function retryPassing<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const codes = codesOf(error);
      if (codes.some((code) => BUSY.includes(code)) && performance.now() - began < BUSY_MS) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * BUSY_PAUSE_MS));
      } else if (tries >= 8 || !codes.some((code) => PASSING.includes(code))) throw error;
    }
  }
}
