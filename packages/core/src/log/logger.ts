import { toError } from "../model/auth-error.ts";
import type { LoggerInstance, RedactingLogger } from "../model/callbacks.ts";
import { createRedactor, type NamedValues, type Redactor } from "./redactor.ts";

/** Writes to the console, one line per record; `debug` lines only if `debug` is on. */
function consoleLogger(debug: boolean): LoggerInstance {
  return {
    error: (error) => console.error(`[cardea][error] ${describeError(error)}${debug ? ` | ${frames(error)}` : ""}`),
    warn: (code) => console.warn(`[cardea][warn] ${code}`),
    debug: (message, metadata) => {
      if (debug) console.debug(`[cardea][debug] ${message}${metadata === undefined ? "" : ` ${toLine(metadata)}`}`);
    },
  };
}

/**
 * Wraps the application's logger, and the console for its missing levels, in a redactor. Errors of a logger are ignored:
 * logging never changes an outcome. `debug` lines are dropped unless `debug` is on or the application's logger has that method.
 *
 * @param configured the secrets of the configuration.
 * @param sources what a request received, obtained and made, read with each line: most requests log none.
 */
export function createLogger(
  partial: Partial<LoggerInstance>,
  debug: boolean,
  configured: readonly string[],
  sources: readonly NamedValues[] = [],
): RedactingLogger {
  const target = completeLogger(partial, consoleLogger(debug));
  const writesDebug = debug || partial.debug !== undefined;
  const write = (line: (redactor: Redactor) => unknown) => attempt(() => line(createRedactor(configured, sources)));
  return {
    error: (error) => write((redactor) => target.error(redactor.error(toError(error)))),
    warn: (code, ...others) => write((redactor) => target.warn(warningOf(redactor, code, others))),
    debug: (message, metadata) => {
      if (writesDebug) write((redactor) => target.debug(redactAfterCode(redactor, message), redactor.value(metadata)));
    },
  };
}

/** A line of the library, and what belongs to others at its end. */
function warningOf(redactor: Redactor, code: string, others: readonly unknown[]): string {
  const shown = others.map((other) => redactor.value(other));
  const ends = shown.map((other) => (typeof other === "string" ? other : toLine(other)));
  return redactAfterCode(redactor, [code, ...ends.filter((end) => end !== "{}")].join(" "));
}

/** The code at the start of a line is ours and stays searchable. */
function redactAfterCode(redactor: Redactor, line: string): string {
  const code = /^[A-Za-z-]+: /.exec(line)?.[0] ?? "";
  return `${code}${redactor.line(line.slice(code.length))}`;
}

function completeLogger(partial: Partial<LoggerInstance>, fallback: LoggerInstance): LoggerInstance {
  return {
    error: (error) => (partial.error === undefined ? fallback.error(error) : partial.error(error)),
    warn: (code) => (partial.warn === undefined ? fallback.warn(code) : partial.warn(code)),
    debug: (message, metadata) =>
      partial.debug === undefined ? fallback.debug(message, metadata) : partial.debug(message, metadata),
  };
}

/** A logger may be asynchronous; its rejection must not end the process either. */
function attempt(log: () => unknown): void {
  try {
    Promise.resolve(log()).catch(passOver);
  } catch (error) {
    passOver(error);
  }
}

function passOver(error: unknown): void {
  console.error(`[cardea][error] The configured logger threw: ${toError(error).name}`);
}

function describeError(error: Error): string {
  const cause = error.cause === undefined ? "" : ` | cause: ${toLine(error.cause)}`;
  return `${error.name}: ${error.message}${cause}`;
}

function frames(error: Error): string {
  return (error.stack ?? "")
    .split("\n")
    .slice(1, 6)
    .map((line) => line.trim())
    .join(" < ");
}

/** An error and its causes: the message of `fetch` is always the same, and that of an AggregateError is empty. */
function summaryOf({ name, message, cause, code }: Error & { readonly code?: unknown }): string {
  const next: unknown = cause instanceof Error ? cause : Object(cause).err;
  return `${name}: ${message || code}${next instanceof Error ? ` (${summaryOf(next)})` : ""}`;
}

/** Any value as one line; an error as its name and message. */
function toLine(value: unknown): string {
  // Of the holder, because `toJSON` of an error is the application's.
  function replacer(this: unknown, name: string, member: unknown) {
    const held: unknown = Object(this)[name];
    return held instanceof Error ? summaryOf(held) : typeof member === "bigint" ? String(member) : member;
  }
  if (value instanceof Error) return describeError(value);
  // The redactor has escaped line breaks already; JSON would double the backslash.
  return JSON.stringify(value, replacer)?.replaceAll(/\\(\\[nrt])/g, "$1") ?? String(value);
}
