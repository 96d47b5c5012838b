/** JSON as someone else sent it: its bytes, its members and its numbers, none of which may be lost or read differently elsewhere. */

const QUOTE = 34;
const COLON = 58;
const COMMA = 44;
const BACKSLASH = 92;
/** `[` and `{`, `]` and `}`: the characters of each pair differ in one bit. */
const OPEN = 91;
const CLOSE = 93;
const BRACE = 123;
const BRACES = 32;

/** A structural character outside of strings (RFC 8259 §2). */
interface Mark {
  /** Its code. */
  readonly code: number;
  readonly at: number;
  /** The nesting depth of what it belongs to, from 1 on. */
  readonly depth: number;
  /** The string that ended last before it: the name of a member, if it is a colon. */
  readonly string: () => string;
}

/** Finds the structural characters of a JSON text in one pass, whether or not the text is valid. A recursion would follow its sender. */
function scanJson(text: string, visit: (mark: Mark) => void): void {
  let depth = 0;
  let inString = false;
  let [from, to] = [0, 0];
  const string = () => String(JSON.parse(text.slice(from, to)));
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString && code === BACKSLASH) at += 1;
    else if (code === QUOTE) {
      if (inString) to = at + 1;
      else from = at;
      inString = !inString;
    } else if (inString) continue;
    else if ((code & ~BRACES) === OPEN) visit({ code, at, depth: ++depth, string });
    else if ((code & ~BRACES) === CLOSE) visit({ code, at, depth: depth--, string });
    else if (code === COMMA || code === COLON) visit({ code, at, depth, string });
  }
}

/**
 * The members of a JSON object in their written order, including duplicates: `JSON.parse` uses the last of two, while a
 * proxy in front may have checked the first (RFC 8259 §4).
 *
 * @param text valid JSON of an object.
 */
export function parseJsonMembers(text: string): [string, unknown][] {
  const members: [string, unknown][] = [];
  let name: string | undefined;
  let start = 0;
  scanJson(text, ({ code, at, depth, string }) => {
    if (depth !== 1) return;
    if (name !== undefined) members.push([name, JSON.parse(text.slice(start, at))]);
    name = code === COLON ? string() : undefined;
    start = at + 1;
  });
  return members;
}

/**
 * The first duplicate member name in an object of a JSON text, at any depth. The meaning of such a text depends on the
 * parser (RFC 8259 §4): some use the last value, others the first. null if there is none, or if the text is not JSON. Never
 * throws.
 */
export function findRepeatedMember(text: string): string | null {
  if (!isJson(text)) return null;
  const names = new Map<number, Set<string>>();
  let repeated: string | null = null;
  scanJson(text, ({ code, depth, string }) => {
    if (code === BRACE) names.set(depth, new Set());
    if (code !== COLON || repeated !== null) return;
    const name = string();
    if (names.get(depth)?.has(name)) repeated = name;
    names.get(depth)?.add(name);
  });
  return repeated;
}

/** Whether a text is JSON of any kind. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The size of a JSON text, in addition to its length. */
interface JsonShape {
  /** The nesting depth of objects and arrays. */
  readonly depth: number;
  /** The number of members of the outermost object, duplicates included. */
  readonly members: number;
  /** An upper bound for the number of values: objects, arrays and their members. */
  readonly values: number;
}

/** Measures a JSON text in one pass, whether or not the text is valid. Never throws. */
export function measureJson(text: string): JsonShape {
  let deepest = 0;
  let members = 0;
  let values = 1;
  scanJson(text, ({ code, depth }) => {
    const isOpen = (code & ~BRACES) === OPEN;
    if (isOpen) deepest = Math.max(deepest, depth);
    if (isOpen || code === COMMA) values += 1;
    if (code === COLON && depth === 1) members += 1;
  });
  return { depth: deepest, members, values };
}

/** Strings and numbers of a JSON text (RFC 8259 §6, §7); digits occur nowhere else. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;

/** Whether a text can contain a number that `JSON.parse` would change: sixteen digits, or an exponent. */
const MAY_LOSE_DIGITS = /[\d.]{16}|\d[eE]/;

/**
 * Rewrites a JSON text so that `JSON.parse` preserves identifiers: a whole number that does not fit into a double becomes a
 * string of its digits. Beyond 2^53 several numbers share one double, so several accounts would share one id (RFC 8259 §6,
 * RFC 7493 §2.2). Fractions stay numbers; they are never ids. Never throws.
 *
 * @returns the same text if it is not JSON, or if nothing would be lost.
 */
export function quoteInexactNumbers(text: string): string {
  if (!MAY_LOSE_DIGITS.test(text) || !isJson(text)) return text;
  return text.replace(TOKEN, (token) => (token.startsWith('"') || isExact(token) ? token : `"${token}"`));
}

/**
 * Finds a number that could represent several numbers, because its parser has already lost digits. Handles cycles.
 *
 * @returns the path of the first one, such as `user.id`; null if there is none. Never throws for plain data.
 */
export function findInexactNumber(value: unknown, path = "", seen: WeakSet<object> = new WeakSet()): string | null {
  if (typeof value === "number") return isExactNumber(value) ? null : path;
  if (typeof value !== "object" || value === null || seen.has(value)) return null;
  seen.add(value);
  for (const [name, member] of Object.entries(value)) {
    const found = findInexactNumber(member, path === "" ? name : `${path}.${name}`, seen);
    if (found !== null) return found;
  }
  return null;
}

function isExactNumber(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

function isExact(literal: string): boolean {
  const value = Number(literal);
  return isExactNumber(value) && (!Number.isInteger(value) || isWhole(literal));
}

/** Whether a number is whole as written, not only after rounding: `1e3` and `2.0` are, `1.00000000000000001` is not. */
function isWhole(literal: string): boolean {
  const [mantissa = "", exponent = "0"] = literal.replace(/^-/, "").toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = whole + fraction;
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end -= 1;
  return end === 0 || Number(exponent) - fraction.length + (digits.length - end) >= 0;
}

/**
 * Header (0) or claims (1) of a JWT, with exact numbers. Does not verify them.
 *
 * @throws if the segment is not base64url of JSON, or has a duplicate member (RFC 7515 §4, RFC 7519 §4).
 */
export function parseJwtSegment(token: string, index: 0 | 1): Record<string, unknown> {
  const segment = (token.trim().split(".")[index] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(segment), (char) => char.charCodeAt(0));
  const text = new TextDecoder().decode(bytes);
  if (findRepeatedMember(text) !== null) throw new SyntaxError("The JWT contains a duplicate member.");
  const value: unknown = JSON.parse(quoteInexactNumbers(text));
  return isJsonObject(value) ? value : {};
}

/** Whether a parsed value is a JSON object. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Removes members named `__proto__` from a parsed JSON value, at any depth: code that copies members one by one, as a
 * callback may, would set the prototype of its copy (CWE-1321). Changes the value in place; a value from `JSON.parse`
 * belongs to its parser. Not recursive, because the sender controls the depth.
 */
export function withoutPrototypes(value: unknown): unknown {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    if (Object.hasOwn(next, "__proto__")) Reflect.deleteProperty(next, "__proto__");
    for (const member of Object.values(next)) if (typeof member === "object" && member !== null) open.push(member);
  }
  return value;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The result of reading from a stream; undefined if there is no stream. */
type Part = { readonly done: true } | { readonly done: false; readonly value: Uint8Array } | undefined;

/**
 * Reads all bytes of a stream.
 *
 * @param next reads the next part.
 * @returns null as soon as there are more than `limit` bytes; the rest is not read.
 * @throws any error of `next`.
 */
export async function readBytes(next: () => Promise<Part>, limit: number): Promise<Bytes | null> {
  const parts: Bytes[] = [];
  let size = 0;
  for (let part = await next(); part?.done === false; part = await next()) {
    size += part.value.byteLength;
    if (size > limit) return null;
    parts.push(new Uint8Array(part.value));
  }
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : join(parts, size);
}

function join(parts: readonly Bytes[], size: number): Bytes {
  const joined = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.byteLength;
  }
  return joined;
}
