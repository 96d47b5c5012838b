import type { Row } from "./database.ts";

/**
 * The rows that a statement gave.
 *
 * @throws TypeError if it gave something else.
 */
export function requireRows(result: unknown): readonly Row[] {
  if (Array.isArray(result)) return result;
  throw new TypeError("The driver returned no rows.");
}

/**
 * How many rows a write of MySQL touched: `mysql2` says it in the first of two results, drivers over HTTP in one.
 *
 * @throws TypeError if the driver does not say.
 */
export function countOf(result: unknown): number {
  const header: unknown = Array.isArray(result) ? result[0] : result;
  for (const name of ["affectedRows", "rowsAffected"]) {
    const count: unknown = Reflect.get(Object(header), name);
    if (typeof count === "number") return count;
  }
  throw new TypeError("The driver does not say how many rows it wrote.");
}
