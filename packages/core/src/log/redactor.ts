import { isAuthError } from "../model/errors.ts";

/**
 * Keeps secrets out of the log (docs/behaviour.md#errors-and-logs): known values, what stands beside a name of a secret, user and
 * password of a URL. Of objects, only members of an allow-list are logged. Nothing is guessed by its shape.
 */
export interface Redactor {
  /** Returns text of others as one line of limited length, without secrets and control characters. */
  text(text: string): string;
  /** Returns a line of the library with limited length. Its words are kept, even if a client sent the same words. */
  line(text: string): string;
  /** Copies an error and its causes without secrets. Class and `type` are kept, and the words of an error of the library. */
  error(error: Error): Error;
  /** Copies any value without secrets; errors in it are text of others, like the causes of an error. */
  value(value: unknown): unknown;
}

/** Values by their names: a query, a body, cookies. Read when a line is logged, because most requests log none. */
export type NamedValues = Iterable<readonly [string, unknown]>;

const REDACTED = "[redacted]";
const MAX_LENGTH = 1024;
const MAX_READ = 8 * MAX_LENGTH;
const MAX_DEPTH = 5;

/** A shorter value would also remove ordinary words. */
const MIN_SECRET = 8;

/** More secrets than any request of a browser or a provider has. */
const MAX_SECRETS = 100;

/** Names of fields, headers and members whose values are secrets. */
const SECRET =
  "[\\w-]{0,40}(?:secret|token|passw(?:or)?d|passphrase|verifier|nonce|assertion|credential|authorization|cookie|signature|otp)[\\w-]{0,40}|pwd|pin|state|challenge";
const SECRET_NAME = new RegExp(`^(?:${SECRET}|code|context|current|confirm|data|proof|setup)s?$`, "i");

/**
 * Secrets in text: credentials of the header `Authorization` (RFC 9110 §11.4), values beside a name as in a URL, a form or JSON, and
 * the user and password of a URL, up to the last `@`, also as escaped in JSON and percent-encoded. A database's password may contain
 * any character, that of a web address none of `/?#`.
 */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic|DPoP)\s+[\w.~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  [new RegExp(`\\b(${SECRET}|code)=[^&\\s"'<>]+`, "gi"), `$1=${REDACTED}`],
  [
    new RegExp(`(\\\\?["'](?:${SECRET})\\\\?["']\\s*:\\s*)(\\\\?)(["'])(?:(?!\\2\\3).)*\\2\\3`, "gi"),
    `$1$2$3${REDACTED}$2$3`,
  ],
  [/(https?:\\{0,3}\/\\{0,3}\/)(?:[^\s/?#<>\\]|\\(?!\/))*@/gi, `$1${REDACTED}@`],
  [/(https?%3A%2F%2F)(?:(?!%2F|%3F|%23)[\w.~!*'()+%-])*%40/gi, `$1${REDACTED}%40`],
];

/** The same for all other URLs. What follows is matched with them, so that the time is linear where many have no user. */
const WITH_USER = /(?<!https?)(:\\{0,3}\/\\{0,3}\/|%3A%2F%2F)([^\s<>]*)/gi;

function withoutUser(whole: string, begin: string, rest: string): string {
  const end = Math.max(rest.lastIndexOf("@"), begin.startsWith("%") ? rest.lastIndexOf("%40") : -1);
  return end < 0 ? whole : `${begin}${REDACTED}${rest.slice(end)}`;
}

/** Members of errors and of debug lines that are logged. */
const FACTS: ReadonlySet<string> = new Set(
  (
    "action algorithm allowed attempt attribute busy callback check clientVersion code column constraint declared description during " +
    "endpoint err error error_description error_uri errno event expected expires extension factor hint hostname id incomplete iss " +
    "issuer kind limit member members method missing name option origin page path port provider reason received reference refused repeated " +
    "retryAfter routine seam severity spelling status statusCode step syscall table target type url userId"
  ).split(" "),
);

// Control characters, and the two separators at which some viewers break lines.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to escape
const LINE_BREAKERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * Creates a redactor.
 *
 * @param configured secrets of the configuration, which are removed from every line.
 * @param sources what a request received, obtained and made; its secrets are known by name.
 */
export function createRedactor(configured: readonly string[], sources: readonly NamedValues[] = []): Redactor {
  const own = spellingsOf(configured);
  const ofRequest = sources.flatMap((values) => [...secretsIn(values)]).slice(0, MAX_SECRETS);
  let spelled: { readonly of: number; readonly as: readonly string[] } = { of: 0, as: [] };
  const clean = (text: string, counts: (spelling: string) => boolean): string => {
    const read = text.slice(0, MAX_READ);
    // Spelling takes long, and no spelling is shorter than its secret. What was spelled for a longer text is spelled for this one.
    const known = ofRequest.filter(({ length }) => length <= read.length);
    if (known.length > spelled.of) spelled = { of: known.length, as: spellingsOf(known) };
    const secrets = [...own, ...spelled.as.filter(counts)];
    let result = read;
    for (const secret of secrets) result = result.replaceAll(secret, REDACTED);
    for (const [named, replacement] of NAMED) result = result.replace(named, replacement);
    result = result.replace(WITH_USER, withoutUser);
    if (text.length <= MAX_READ) return bounded(result);
    // At the end of what was read, a secret may be cut in half.
    const longest = Math.max(0, ...[...secrets, ...ofRequest].map(({ length }) => length));
    return bounded(`${result.slice(0, Math.max(0, result.length - longest))}…`);
  };
  const redactor: Redactor = {
    text: (text) => clean(text, () => true),
    // A client must not be able to remove words from the lines of the library by sending them as its token (CWE-117).
    line: (text) => clean(text, (spelling) => /\d/.test(spelling)),
    error: (error) => copyError(redactor, error, 0, new Set([error])),
    value: (value) => copyValue(redactor, value, 1, new Set()),
  };
  return redactor;
}

/** The secrets among named values; below a secret name, every text is one. */
function* secretsIn(values: NamedValues): Generator<string> {
  const open: (readonly [boolean, unknown])[] = [...values].map(([name, value]) => [SECRET_NAME.test(name), value]);
  for (let seen = 0; seen < open.length && seen < MAX_SECRETS * 4; seen += 1) {
    const [isSecret, value] = open[seen] ?? [false, undefined];
    if (typeof value === "string" && isSecret) yield value;
    if (typeof value === "object" && value !== null)
      for (const [name, member] of Object.entries(value)) open.push([isSecret || SECRET_NAME.test(name), member]);
  }
}

/** Values as they are and as others may repeat them, the longest first: encoded for a URL, a form, JSON, HTML, SQL, in base64. */
function spellingsOf(values: readonly string[]): readonly string[] {
  const all = values
    .filter(({ length }) => length >= MIN_SECRET)
    .flatMap((value) => {
      const form = new URLSearchParams({ value }).toString().slice("value=".length);
      // Like `encodeURIComponent`, which would throw for a lone surrogate.
      const url = form.replaceAll("+", "%20").replace(/%(?:2[1789]|7E)/g, decodeURIComponent);
      const lower = (text: string) => text.replace(/%../g, (octet) => octet.toLowerCase());
      const json = JSON.stringify(value).slice(1, -1);
      const sql = [value.replaceAll("'", "''"), value.replace(/[\\'"]/g, "\\$&")];
      const base64 = btoa(Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join(""));
      const plain = base64.replace(/=+$/, "");
      const encoded = [plain, plain.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(base64)];
      return [value, form, url, lower(form), lower(url), json, ...sql, ...htmlOf(value), ...encoded];
    });
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}

function htmlOf(value: string): readonly string[] {
  const basic = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quoted = basic.replaceAll('"', "&quot;");
  return [basic, quoted, ...["&#39;", "&#x27;", "&apos;"].map((quote) => quoted.replaceAll("'", quote))];
}

/** The escapes that everyone knows, for what messages of others often contain. */
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function bounded(text: string): string {
  const spell = (c: string) => SHORT[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const line = text.replace(LINE_BREAKERS, spell);
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

function copyError(redactor: Redactor, error: Error, depth: number, copied: Set<object>): Error {
  const copy: Error = Object.create(Object.getPrototypeOf(error));
  const define = (name: string, value: unknown, enumerable: boolean) =>
    Object.defineProperty(copy, name, { value, enumerable, writable: true, configurable: true });
  const name = redactor.line(String(error.name));
  define("name", name, false);
  // What led to an error may have been thrown by the application, whatever its class.
  const isOwn = depth === 0 && isAuthError(error);
  const message = isOwn ? redactor.line(error.message) : redactor.text(String(error.message));
  define("message", message, false);
  define("stack", copyStack(redactor, error, { name, message }), false);
  if (error.cause !== undefined) define("cause", copyValue(redactor, error.cause, depth + 1, copied), false);
  for (const [member, value] of factsOf(error)) {
    if (member === "name") continue;
    const isKept = isAuthError(error) && (member === "type" || member === "kind");
    define(member, isKept ? value : copyFact(redactor, member, value, depth, copied), true);
  }
  return copy;
}

/** The `code` of an error is a constant such as ECONNREFUSED; any other may be an authorization code. */
function copyFact(redactor: Redactor, name: string, value: unknown, depth: number, copied: Set<object>): unknown {
  if (name !== "code" || typeof value === "number") return copyValue(redactor, value, depth + 1, copied);
  return typeof value === "string" && /^[A-Za-z][\w-]{2,63}$/.test(value) ? redactor.text(value) : REDACTED;
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

/** The members of an object that are logged; a getter may throw. */
function factsOf(value: object): readonly [string, unknown][] {
  const names = Object.keys(value).filter((name) => FACTS.has(name));
  return names.map((name) => {
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
  return Object.fromEntries(
    factsOf(value).map(([name, member]) => [name, copyFact(redactor, name, member, depth, copied)]),
  );
}
