import { isAuthError } from "../model/errors.ts";

/**
 * Removes secrets from whatever goes to a log (contract 12): by value where the value is known, by name in objects, and by
 * shape for tokens that nobody announced.
 */
export interface Redactor {
  /** Makes a value known as secret. Values under four characters are left: removing them would garble everything. */
  conceal(value: string | undefined | null): void;
  /** One bounded line without secrets and without raw control characters. */
  text(text: string): string;
  /** A copy of an error, its causes included, without secrets. The class and the `type` stay. */
  error(error: Error): Error;
  /** A copy of any value without secrets. */
  value(value: unknown): unknown;
}

const CONCEALED = "[redacted]";
const MAX_LENGTH = 1024;
const MAX_DEPTH = 5;
const SECRET_NAME =
  /secret|token|passw|^pwd?$|^pin$|otp|^code$|verifier|nonce|^state$|cookie|authorization|assertion|credential/i;
// Compact JWS and JWE; `Bearer x`; `code=x` and the like in URLs and form bodies.
const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/eyJ[\w-]{8,}\.[\w-]*\.[\w.-]*/g, CONCEALED],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${CONCEALED}`],
  [
    /\b(code|state|nonce|code_verifier|client_secret|access_token|refresh_token|id_token|password|token)=[^&\s"']+/gi,
    `$1=${CONCEALED}`,
  ],
];
// Control characters, and the two separators that some viewers break lines at (safety H285).
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to escape
const LINE_BREAKERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Makes a redactor that knows no value yet. */
export function createRedactor(): Redactor {
  // A list, made a set when something is logged: hashing every cookie of every request costs more than parsing them.
  const known: string[] = [];
  const redactor: Redactor = {
    conceal: (value) => {
      if (typeof value === "string" && value.length >= 4) known.push(value);
    },
    text: (text) => {
      let result = text.length > MAX_LENGTH * 8 ? text.slice(0, MAX_LENGTH * 8) : text;
      // Here and not in `conceal`, which is called for each cookie of each request while most log nothing.
      const spellings = [...new Set(known)].flatMap(spellingsOf).sort((a, b) => b.length - a.length);
      for (const spelling of spellings) result = result.replaceAll(spelling, CONCEALED);
      for (const [shape, replacement] of SECRET_SHAPES) result = result.replace(shape, replacement);
      return bounded(result);
    },
    error: (error) => copyError(redactor, error, 0),
    value: (value) => copyValue(redactor, value, 0),
  };
  return redactor;
}

/** A value as it is, and as it looks in a form, in a URL and in JSON: drivers and proxies repeat it in any of these. */
function spellingsOf(value: string): readonly string[] {
  const inForm = new URLSearchParams({ value }).toString().slice("value=".length);
  // What `encodeURIComponent` makes of it, which would throw for a lone surrogate.
  const inUrl = inForm.replaceAll("+", "%20").replace(/%(?:2[1789]|7E)/g, decodeURIComponent);
  return [value, inForm, inUrl, JSON.stringify(value).slice(1, -1)];
}

function bounded(text: string): string {
  const line = text.replace(LINE_BREAKERS, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

function copyError(redactor: Redactor, error: Error, depth: number): Error {
  const copy: Error = Object.create(Object.getPrototypeOf(error));
  const define = (name: string, value: unknown, enumerable: boolean) =>
    Object.defineProperty(copy, name, { value, enumerable, writable: true, configurable: true });
  define("name", error.name, false);
  define("message", redactor.text(error.message), false);
  define("stack", copyStack(redactor, error), false);
  if (error.cause !== undefined) define("cause", copyValue(redactor, error.cause, depth + 1), false);
  for (const [name, value] of Object.entries(error)) {
    if (name in copy && ["name", "message", "stack", "cause"].includes(name)) continue;
    const isKept = isErrorCode(name, value) || (isAuthError(error) && (name === "type" || name === "kind"));
    define(name, isKept ? value : copyMember(redactor, name, value, depth), true);
  }
  return copy;
}

/** `code` of an error says what kind it is, such as ECONNREFUSED; elsewhere it may be an authorization code. */
function isErrorCode(name: string, value: unknown): boolean {
  return name === "code" && typeof value === "string" && /^[A-Za-z][A-Za-z0-9_]{2,63}$/.test(value);
}

/** The frames of a stack each keep their line; their text is ours or the application's, but the first line holds the message. */
function copyStack(redactor: Redactor, error: Error): string | undefined {
  return error.stack
    ?.split("\n")
    .slice(0, 30)
    .map((line) => redactor.text(line))
    .join("\n");
}

function copyMember(redactor: Redactor, name: string, value: unknown, depth: number): unknown {
  if (SECRET_NAME.test(name) && typeof value !== "boolean" && typeof value !== "number") return CONCEALED;
  return copyValue(redactor, value, depth + 1);
}

function copyValue(redactor: Redactor, value: unknown, depth: number): unknown {
  if (typeof value === "string") return redactor.text(value);
  if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "[…]";
  if (value instanceof Error) return copyError(redactor, value, depth);
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => copyValue(redactor, item, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return `[${value.constructor?.name ?? "object"}]`;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 50)
      .map(([name, member]) => [redactor.text(name), copyMember(redactor, name, member, depth)]),
  );
}
