/** The id of a row as an adapter may hand it out: adapters of tables with numeric keys give numbers, whatever their type says. */
export type RowId = string | number | bigint;

/**
 * The longest id in characters. OIDC Core §2 limits `sub` to 255; more does not fit the columns that adapters have for ids, and a
 * database that cuts text would give two accounts one id.
 */
const MAX_ID_LENGTH = 255;

/** Control characters, lone surrogates, and white space at an end: databases drop, pad or refuse them. */
const UNSAFE_TEXT = /[\p{Cc}\p{Cs}]|^\s|\s$/u;

/** What a missing or wrong value becomes when it is made a text: every account without an id would share it. */
const NOT_AN_ID = /^(?:undefined|null|NaN|-?Infinity|\[object \w+\]|-?\d(?:\.\d+)?e\+\d+)$/;

/**
 * Reads an identifier that a provider, a callback or a database gave. Never throws.
 *
 * 1. Text stays as it is: 1 to 255 characters, well-formed, without control characters or white space at its ends.
 * 2. A number becomes text if it is a safe integer. Others lost digits, so that several accounts would have one id.
 * 3. The text of a missing value (`"undefined"`, `"[object Object]"`) is not an id.
 *
 * @returns null for what is not an id.
 */
export function parseId(value: unknown): string | null {
  if (typeof value === "bigint") return parseId(String(value));
  if (typeof value === "number") return isExactId(value) ? String(value) : null;
  if (typeof value !== "string" || value === "" || value.length > MAX_ID_LENGTH) return null;
  return UNSAFE_TEXT.test(value) || NOT_AN_ID.test(value) ? null : value;
}

/** Whether two ids name the same row: a token holds text where an adapter may give a number. Never throws. */
export function isSameId(one: unknown, other: unknown): boolean {
  return isId(one) && isId(other) && String(one) === String(other);
}

/** Whether a value can be the id of a row: text that is not empty, or a number that has lost no digits. */
export function isId(value: unknown): value is RowId {
  if (typeof value === "number") return isExactId(value);
  return typeof value === "bigint" || (typeof value === "string" && value !== "");
}

function isExactId(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}
