/** The members that have a value. Prisma does not take `undefined` for an absent member wherever it is asked to be strict. */
export function withoutUndefined(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** The members that have a value and a column: providers send tokens that no table has a place for. */
export function onlyColumns(record: object, model: { readonly fields: object }): Record<string, unknown> {
  const columns = new Set(Object.keys(model.fields));
  return Object.fromEntries(Object.entries(withoutUndefined(record)).filter(([name]) => columns.has(name)));
}

/**
 * `value`, which must be a string. In the `where` of Prisma `undefined` means every row, and an object is an operator such
 * as `{ not: "" }`: neither may decide what is read or deleted.
 *
 * @throws TypeError when it is not.
 */
export function requireText(value: string, name: string): string {
  if (typeof value === "string") return value;
  throw new TypeError(`${name} must be a string, not ${value === null ? "null" : typeof value}.`);
}

/** Whether a write failed because its row is not there (P2025). */
function isMissingRow(error: unknown): boolean {
  return typeof error === "object" && error !== null && Reflect.get(error, "code") === "P2025";
}

/** What a write resolves to; null when its row is not there. */
export async function ifThere<Row>(write: PromiseLike<Row>): Promise<Row | null> {
  try {
    return await write;
  } catch (error) {
    if (isMissingRow(error)) return null;
    throw error;
  }
}
