/** The members that have a value. In strict mode, Prisma rejects `undefined` for absent members. */
export function withoutUndefined(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** The members with a value and a column; providers may send additional ones. */
export function onlyColumns(record: object, model: { readonly fields: object }): Record<string, unknown> {
  const columns = new Set(Object.keys(model.fields));
  return Object.fromEntries(Object.entries(withoutUndefined(record)).filter(([name]) => columns.has(name)));
}

/**
 * Returns `value`, which must be a string. In Prisma's `where`, `undefined` matches every row, and an object is an
 * operator such as `{ not: "" }`; neither must determine what is read or deleted.
 *
 * @throws TypeError otherwise.
 */
export function requireText(value: string, name: string): string {
  if (typeof value === "string") return value;
  throw new TypeError(`${name} must be a string, not ${value === null ? "null" : typeof value}.`);
}

/** The code of a Prisma error. */
export function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
}

/** The result of a write; null if its row does not exist. */
export async function ifThere<Row>(write: PromiseLike<Row>): Promise<Row | null> {
  try {
    return await write;
  } catch (error) {
    if (codeOf(error) === "P2025") return null;
    throw error;
  }
}

/** The result of a write; null if its key already exists (P2002). */
export async function ifFree<Row>(write: PromiseLike<Row>): Promise<Row | null> {
  try {
    return await write;
  } catch (error) {
    if (codeOf(error) === "P2002") return null;
    throw error;
  }
}
