import { toError } from "../model/auth-error.ts";
import type { LoggerInstance } from "../model/config.ts";
import type { SecretFinder } from "../model/context.ts";
import { CSRF_MESSAGES } from "../model/csrf-messages.ts";
import { MissingCSRF } from "../model/errors.ts";
import type { ResolvedCookies } from "../model/resolved-config.ts";
import { createRedactor, type Redactor } from "./redactor.ts";
import { isSecretShaped } from "./secret-shape.ts";

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

/** A logger for one configuration or request, with functions that register secrets. */
export interface RedactingLogger {
  readonly logger: LoggerInstance;
  readonly redact: (value: string | undefined) => void;
  /** As `redact`, for values that are computed when the first line is logged: most requests log none. */
  readonly redactLater: (values: (find: SecretFinder) => Iterable<string>) => void;
}

/**
 * Wraps the application's logger, and the console for its missing levels, in a redactor. Errors of a logger are ignored:
 * logging never changes an outcome. Lines that are not logged are not redacted: `debug` lines are dropped unless `debug` is
 * on or the application's logger has that method.
 *
 * @param redacted the secrets of the configuration.
 */
export function createLogger(
  partial: Partial<LoggerInstance>,
  debug: boolean,
  redacted: readonly string[],
): RedactingLogger {
  // Created with the first line or the first registered secret; most requests have neither.
  let made: { readonly target: LoggerInstance; readonly redactor: Redactor } | undefined;
  const later: ((find: SecretFinder) => Iterable<string>)[] = [];
  const open = () => {
    made ??= { target: completeLogger(partial, consoleLogger(debug)), redactor: createRedactorOf(redacted) };
    for (const values of later.splice(0)) made.redactor.redactLater(() => values(FINDER));
    return made;
  };
  const writesDebug = debug || partial.debug !== undefined;
  return {
    logger: redactingLogger(open, writesDebug),
    redact: (value) => open().redactor.redact(value),
    redactLater: (values) => void later.push(values),
  };
}

const FINDER: SecretFinder = { secretsIn, secretCookies };

function createRedactorOf(redacted: readonly string[]): Redactor {
  const redactor = createRedactor();
  redactor.redactAlways(redacted);
  return redactor;
}

type Open = () => { readonly target: LoggerInstance; readonly redactor: Redactor };

function redactingLogger(open: Open, writesDebug: boolean): LoggerInstance {
  const write = (line: (made: ReturnType<Open>) => unknown) => {
    const made = open();
    attempt(() => line(made));
  };
  return {
    error: (error) => write(({ target, redactor }) => target.error(redactor.error(toError(error)))),
    warn: (code) => write(({ target, redactor }) => target.warn(redactAfterCode(redactor, code))),
    debug: (message, metadata) => {
      if (!writesDebug) return;
      write(({ target, redactor }) => target.debug(redactAfterCode(redactor, message), redactor.value(metadata)));
    },
  };
}

/** The code at the start of a line is ours and stays searchable. */
function redactAfterCode(redactor: Redactor, line: string): string {
  if (isOwnLine(line)) return line;
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
  const replacer = (_: string, member: unknown) =>
    member instanceof Error ? summaryOf(member) : typeof member === "bigint" ? String(member) : member;
  return value instanceof Error ? describeError(value) : (JSON.stringify(value, replacer) ?? String(value));
}

/**
 * Lines that are the same for every request: none of its values is in them, so none is looked for. Anyone can have them written as often
 * as they like, and collecting the values of a request takes longer than everything else that refusing a form does.
 */
const OWN_LINES: ReadonlySet<string> = new Set([lineOf("cross-site"), lineOf("stale")]);

function lineOf(reason: keyof typeof CSRF_MESSAGES): string {
  const { type, message } = new MissingCSRF(CSRF_MESSAGES[reason], reason);
  return `${type}: ${message}`;
}

/** Whether a line consists of text of the library alone. */
const isOwnLine = (line: string): boolean => OWN_LINES.has(line);

/** Minimum lengths of values that count as secrets: in our own cookies, and in others. */
const MIN_OWN = 8;
const MIN_OTHER = 16;

/** Values to redact: our cookies, and others that look like a secret, except the callback URL. */
export function* secretCookies(
  cookies: ResolvedCookies,
  received: ReadonlyMap<string, string>,
  repeated: ReadonlyMap<string, readonly string[]>,
): Generator<string> {
  const own = Object.entries(cookies).flatMap(([key, { name }]) => (key === "callbackUrl" ? [] : [name]));
  for (const [name, value] of received) {
    if (name === cookies.callbackUrl.name) continue;
    const minimum = own.some((one) => name.startsWith(one)) ? MIN_OWN : MIN_OTHER;
    for (const one of repeated.get(name) ?? [value]) if (isSecretShaped(one, minimum)) yield one;
  }
}

/** Parameters that are not secret and useful for searching a log. */
const PUBLIC = new Set([
  "callbackUrl",
  "redirectTo",
  "email",
  "error",
  "error_description",
  "error_uri",
  "iss",
  "action",
]);

/** More values than any provider or authenticator response has. */
const MAX_VALUES = 200;

/**
 * The values of a query or a body that may be secrets: codes, states, tokens, passwords and authenticator responses,
 * well-formed or not. They are registered for redaction before they are validated.
 */
export function* secretsIn(fields: Iterable<readonly [string, unknown]>): Generator<string> {
  const open: unknown[] = [...fields].filter(([name]) => !PUBLIC.has(name)).map(([, value]) => value);
  for (let seen = 0; open.length > 0 && seen < MAX_VALUES; seen += 1) {
    const value = open.pop();
    if (typeof value === "string") yield value;
    else if (typeof value === "object" && value !== null) open.push(...Object.values(value).slice(0, MAX_VALUES));
  }
}
