import { fieldOf } from "./schema-facts.ts";

/** The members that have a value. In strict mode, Prisma rejects `undefined` for absent members. */
export function withoutUndefined(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/**
 * The members of a user to write. A member that is null needs no column: core writes `name` and `image` for every user. One with a value
 * does, and Prisma names it.
 */
export function ownColumns(record: object, { fields }: { readonly fields: object }): Record<string, unknown> {
  const members = Object.entries(withoutUndefined(record));
  return Object.fromEntries(members.filter(([name, value]) => value !== null || name in fields));
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

/**
 * The id of a user, as its column stores it: sessions have ids as text, whatever the type of the column. Text that is not an id of this
 * type becomes one that no user has.
 *
 * @throws TypeError for other values, which Prisma would take for operators.
 */
export function ownId(model: { readonly fields: object }, column: string, id: unknown): string {
  const type = fieldOf(model, column)?.typeName;
  if (type !== "Int" && type !== "BigInt") return requireText(id as string, column);
  const text = typeof id === "number" || typeof id === "bigint" ? String(id) : requireText(id as string, column);
  const isId = /^(?:0|[1-9]\d{0,18})$/.test(text) && BigInt(text) <= (type === "Int" ? MAX_INT : MAX_BIGINT);
  const own: unknown = type === "Int" ? Number(isId ? text : -1) : BigInt(isId ? text : -1);
  // A cast: core takes ids of these types.
  return own as string;
}

const [MAX_INT, MAX_BIGINT] = [2n ** 31n - 1n, 2n ** 63n - 1n];

/** A record whose `userId` has the type of its column. */
export function withOwnId<R extends object>(record: R, model: { readonly fields: object }): R {
  return "userId" in record ? { ...record, userId: ownId(model, "userId", record.userId) } : record;
}

/** The code of a Prisma error. */
export function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
}

/** Calls Prisma; null if it rejects with one of these codes. */
const nullFor =
  (...codes: readonly unknown[]) =>
  async <Row>(call: PromiseLike<Row>): Promise<Row | null> => {
    try {
      return await call;
    } catch (error) {
      if (codes.includes(codeOf(error))) return null;
      throw error;
    }
  };

/** The result of a write; null if its row does not exist. */
export const ifThere = nullFor("P2025");

/** The result of a write; null if its key already exists. */
export const ifFree = nullFor("P2002");

/** The row with an id; null if the column cannot hold the text, as one of UUIDs or ObjectIds: clients do not tell its type. */
export const ifIdFits = nullFor("P2023", "P2007");
