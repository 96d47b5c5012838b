import { isAuthError } from "../model/errors.ts";
import { createSecretIndex } from "./secret-index.ts";
import { isSecretShaped } from "./secret-shape.ts";

/**
 * Removes secrets from log output: known values wherever they occur, members of objects by name, and unknown tokens by
 * shape. Does no work until a line is logged.
 */
export interface Redactor {
  /**
   * Registers a secret value. A value that could be an ordinary word is removed from foreign text only, and only as a whole
   * word; values under four characters are ignored.
   */
  redact(value: string | undefined | null): void;
  /** Removes the operator's own secrets from every line, whatever they look like. */
  redactAlways(values: readonly string[]): void;
  /** As {@link Redactor.redact}, for values that are computed when the first line is logged. */
  redactLater(values: () => Iterable<string>): void;
  /** Returns foreign text as one line of limited length, without secrets and control characters. */
  text(text: string): string;
  /** Returns a line of the library with limited length. Its words are kept, even if a client sent the same words. */
  line(text: string): string;
  /** Copies an error and its causes without secrets. Class and `type` are kept. */
  error(error: Error): Error;
  /** Copies any value without secrets. */
  value(value: unknown): unknown;
}

const REDACTED = "[redacted]";
const MAX_LENGTH = 1024;
const MAX_DEPTH = 5;
/** From this length on, a value counts as a secret wherever it occurs, unless it consists of words. */
const MIN_STRONG = 7;
/** Maximum number of values to search for that could be words. */
const MAX_WEAK = 64;
/** Of a longer one the beginning is searched for. Engines reject long regular expressions, and the line would be lost. */
const MAX_WORD = 64;
const SECRET_NAME =
  /secret|token|passw|^pwd?$|^pin$|otp|^code$|verifier|nonce|^state$|cookie|authorization|assertion|credential/i;
// JWS, JWE and parts of them; `Bearer x`; `code=x` and the like in URLs and form bodies; long random text.
const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/eyJ[\w-]{8,}(?:\.[\w-]*)*/g, REDACTED],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  [
    /\b(code|state|nonce|code_verifier|client_secret|access_token|refresh_token|id_token|password|token)=[^&\s"']+/gi,
    `$1=${REDACTED}`,
  ],
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{40,}/g, REDACTED],
  [/(?<![\w-])(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{32,}(?![\w-])/gi, REDACTED],
];
// Control characters, and the two separators at which some viewers break lines.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to escape
const LINE_BREAKERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Creates a redactor without known values. */
export function createRedactor(): Redactor {
  const pending: (string | (() => Iterable<string>))[] = [];
  const known = createKnown();
  const clean = (text: string, isForeign: boolean): string => {
    for (const source of pending.splice(0)) {
      for (const value of typeof source === "string" ? [source] : source()) known.add(value);
    }
    const start = text.length > MAX_LENGTH * 8 ? text.slice(0, MAX_LENGTH * 8) : text;
    let result = known.replace(start, isForeign);
    for (const [shape, replacement] of SECRET_SHAPES) result = result.replace(shape, replacement);
    return bounded(result);
  };
  const redactor: Redactor = {
    redact: (value) => {
      if (typeof value === "string" && value.length >= 4) pending.push(value);
    },
    redactAlways: (values) => known.addAlways(values),
    redactLater: (values) => void pending.push(values),
    text: (text) => clean(text, true),
    line: (text) => clean(text, false),
    error: (error) => copyError(redactor, error, 0, new Set([error])),
    value: (value) => copyValue(redactor, value, 0, new Set()),
  };
  return redactor;
}

/** The known secrets; those that could be words are kept separately. */
function createKnown() {
  const strong = createSecretIndex();
  const weak = new Set<string>();
  const seen = new Set<string>();
  let words: RegExp | undefined;
  let always: readonly string[] = [];
  return {
    addAlways: (values: readonly string[]) => {
      always = spellingsOfAll(values);
    },
    add: (value: string) => {
      if (value.length < 4 || seen.has(value)) return;
      seen.add(value);
      const isStrong = isSecretShaped(value, MIN_STRONG);
      for (const spelling of spellingsOf(value)) {
        if (isStrong) strong.add(spelling);
        else if (weak.size < MAX_WEAK) weak.add(spelling);
      }
      if (!isStrong) words = undefined;
    },
    replace: (text: string, isForeign: boolean) => {
      let result = text;
      for (const spelling of always) result = result.replaceAll(spelling, REDACTED);
      result = strong.replace(result, REDACTED);
      if (!isForeign || weak.size === 0) return result;
      words ??= wholeWords([...weak]);
      return result.replace(words, REDACTED);
    },
  };
}

/** Values as whole words. After the beginning of a long one, the rest of the text is removed. */
function wholeWords(values: readonly string[]): RegExp {
  const longestFirst = values.toSorted((a, b) => b.length - a.length);
  const literal = longestFirst.map((value) => {
    const escaped = value.slice(0, MAX_WORD).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
    return value.length > MAX_WORD ? `${escaped}[^]*` : `${escaped}(?![A-Za-z0-9])`;
  });
  return new RegExp(`(?<![A-Za-z0-9])(?:${literal.join("|")})`, "g");
}

/** By the list of a configuration, which is the same for all of its requests. */
const spellingsOfLists = new WeakMap<readonly string[], readonly string[]>();

/** The spellings of an operator's secrets, found once: each refused request writes a line. */
function spellingsOfAll(values: readonly string[]): readonly string[] {
  const known = spellingsOfLists.get(values) ?? values.filter(({ length }) => length >= 4).flatMap(spellingsOf);
  spellingsOfLists.set(values, known);
  return known;
}

/** Most tokens have the same spelling everywhere. */
const PLAIN = /^[\w.~-]*$/;

/** A value as it is, and as encoded in a form, a URL and JSON, because drivers and proxies may repeat it in any of these forms. */
function spellingsOf(value: string): readonly string[] {
  if (PLAIN.test(value) && !value.includes("~")) return [value];
  const inForm = new URLSearchParams({ value }).toString().slice("value=".length);
  // Like `encodeURIComponent`, which would throw for a lone surrogate.
  const inUrl = inForm.replaceAll("+", "%20").replace(/%(?:2[1789]|7E)/g, decodeURIComponent);
  return [...new Set([value, inForm, inUrl, JSON.stringify(value).slice(1, -1), unescaped(value)])];
}

/** A value before it was escaped for a cookie or a URL; a value with a malformed escape is returned unchanged. */
function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function bounded(text: string): string {
  const line = text.replace(LINE_BREAKERS, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

function copyError(redactor: Redactor, error: Error, depth: number, copied: Set<object>): Error {
  const copy: Error = Object.create(Object.getPrototypeOf(error));
  const define = (name: string, value: unknown, enumerable: boolean) =>
    Object.defineProperty(copy, name, { value, enumerable, writable: true, configurable: true });
  const name = redactor.line(String(error.name));
  define("name", name, false);
  // The messages of our own errors are our own text.
  const message = isAuthError(error) ? redactor.line(error.message) : redactor.text(String(error.message));
  define("message", message, false);
  define("stack", copyStack(redactor, error, { name, message }), false);
  if (error.cause !== undefined) define("cause", copyValue(redactor, error.cause, depth + 1, copied), false);
  for (const [name, value] of entriesOf(error)) {
    if (name in copy && ["name", "message", "stack", "cause"].includes(name)) continue;
    const isKept = isErrorCode(name, value) || (isAuthError(error) && (name === "type" || name === "kind"));
    define(name, isKept ? value : copyMember(redactor, name, value, depth, copied), true);
  }
  return copy;
}

/** The `code` of an error is a constant such as ECONNREFUSED; elsewhere `code` may be an authorization code. */
function isErrorCode(name: string, value: unknown): boolean {
  return name === "code" && typeof value === "string" && /^[A-Za-z][A-Za-z0-9_]{2,63}$/.test(value);
}

/**
 * Keeps the frames of a stack, one line each, because they only refer to code. The text before the frames contains the message.
 * A stack that starts differently is treated as foreign text.
 */
function copyStack(redactor: Redactor, error: Error, { name, message }: Pick<Error, "name" | "message">) {
  const { stack } = error;
  if (typeof stack !== "string") return undefined;
  const head = [`${error.name}: ${error.message}`, `Error: ${error.message}`].find((text) => stack.startsWith(text));
  const lines = stack
    .slice(head?.length ?? 0)
    .split("\n")
    .slice(0, 30);
  if (head === undefined) return lines.map((line) => redactor.text(line)).join("\n");
  return [`${name}: ${message}`, ...lines.slice(1).map(bounded)].join("\n");
}

function copyMember(redactor: Redactor, name: string, value: unknown, depth: number, copied: Set<object>): unknown {
  if (SECRET_NAME.test(name) && typeof value !== "boolean" && typeof value !== "number") return REDACTED;
  return copyValue(redactor, value, depth + 1, copied);
}

/** The name of an object's class. */
function classOf(value: object): string {
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === "string" ? name : "object";
}

/** The members of an object; a getter may throw. */
function entriesOf(value: object): [string, unknown][] {
  return Object.keys(value).map((name) => {
    try {
      return [name, Reflect.get(value, name)];
    } catch {
      return [name, "[unreadable]"];
    }
  });
}

/** @param copied objects that were already copied. Each is copied once, which bounds the cost. */
function copyValue(redactor: Redactor, value: unknown, depth: number, copied: Set<object>): unknown {
  if (typeof value === "string") return redactor.text(value);
  if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH || copied.has(value)) return "[…]";
  copied.add(value);
  if (value instanceof Error) return copyError(redactor, value, depth, copied);
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => copyValue(redactor, item, depth + 1, copied));
  if (Object.getPrototypeOf(value) !== Object.prototype) return redactor.text(`[${classOf(value)}]`);
  return Object.fromEntries(
    entriesOf(value)
      .slice(0, 50)
      .map(([name, member]) => [redactor.text(name), copyMember(redactor, name, member, depth, copied)]),
  );
}
