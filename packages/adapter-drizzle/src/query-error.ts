import { hasErrorCode, retryPassing } from "@cardea/core/adapters";
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

/** Whether a write failed because its key already exists. Only for MySQL, whose inserts cannot ignore this case. */
export function isDuplicate(error: unknown): boolean {
  return hasErrorCode(error, ["ER_DUP_ENTRY", "1062"]);
}
