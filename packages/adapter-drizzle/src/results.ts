import type { Row } from "./database.ts";

/**
 * The rows returned by a statement.
 *
 * @throws TypeError if it returned something else.
 */
export function requireRows(result: unknown): readonly Row[] {
  if (Array.isArray(result)) return result;
  throw new TypeError("The driver returned no rows.");
}

/**
 * The number of rows affected by a MySQL write: in the first of two results for `mysql2`, in a single result for HTTP
 * drivers.
 *
 * @throws TypeError if the driver does not report it.
 */
export function countOf(result: unknown): number {
  const header: unknown = Array.isArray(result) ? result[0] : result;
  for (const name of ["affectedRows", "rowsAffected"]) {
    const count: unknown = Reflect.get(Object(header), name);
    if (typeof count === "number") return count;
  }
  throw new TypeError("The driver did not report the number of affected rows.");
}
