/**
 * Whether two ids name the same row. Adapters of tables with numeric keys hand out numbers, whatever their type says, while
 * a token holds text. Never throws.
 */
export function isSameId(one: unknown, other: unknown): boolean {
  return isId(one) && isId(other) && String(one) === String(other);
}

/** Whether a value can be the id of a row: text that is not empty, or a number. */
export function isId(value: unknown): value is string {
  return typeof value === "string" ? value !== "" : typeof value === "number" || typeof value === "bigint";
}
