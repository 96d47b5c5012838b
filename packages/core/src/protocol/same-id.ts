/**
 * The id of a record as an adapter may return it: adapters of tables with numeric keys return numbers, whatever their type
 * declares.
 */
export type RowId = string | number | bigint;

/**
 * Maximum length of an id in characters. OIDC Core §2 limits `sub` to 255; longer values do not fit the id columns of
 * adapters, and a database that truncates text would give two accounts one id.
 */
const MAX_ID_LENGTH = 255;

/** Control characters, lone surrogates, and surrounding white space: databases drop, pad or reject them. */
const UNSAFE_TEXT = /[\p{Cc}\p{Cs}]|^\s|\s$/u;

/** Missing or invalid values converted to text: every account without an id would share them. */
const NOT_AN_ID = /^(?:undefined|null|NaN|-?Infinity|\[object \w+\]|-?\d(?:\.\d+)?e\+\d+)$/;

/**
 * Reads an identifier from a provider, a callback or a database. Never throws.
 *
 * 1. Text stays unchanged: 1 to 255 characters, well-formed, without control characters or surrounding white space.
 * 2. A safe integer becomes text. Other numbers have lost digits, so several accounts would have one id.
 * 3. The text of a missing value (`"undefined"`, `"[object Object]"`) is not an id.
 *
 * @returns null for anything that is not an id.
 */
export function parseId(value: unknown): string | null {
  if (typeof value === "bigint") return parseId(String(value));
  if (typeof value === "number") return isExactId(value) ? String(value) : null;
  if (typeof value !== "string" || value === "" || value.length > MAX_ID_LENGTH) return null;
  return UNSAFE_TEXT.test(value) || NOT_AN_ID.test(value) ? null : value;
}

/** Whether two ids name the same record: a token contains text, where an adapter may return a number. Never throws. */
export function isSameId(one: unknown, other: unknown): boolean {
  return isId(one) && isId(other) && String(one) === String(other);
}

/** Whether a value can be the id of a record: non-empty text, or a number without lost digits. */
export function isId(value: unknown): value is RowId {
  if (typeof value === "number") return isExactId(value);
  return typeof value === "bigint" || (typeof value === "string" && value !== "");
}

function isExactId(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}
