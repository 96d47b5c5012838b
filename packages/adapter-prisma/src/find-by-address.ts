import { type AdapterUser, userByAddress } from "@cardea/core/adapters";
import type { Model } from "./models-of.ts";
import type { PrismaClientLike } from "./prisma-client.ts";
import { dataModelOf, fieldOf } from "./schema-facts.ts";

/** Databases for which Prisma compares without case if told to (`mode`). */
const WITH_MODE: readonly unknown[] = ["postgresql", "cockroachdb", "mongodb"];

/** Databases for which SQL has to do it, and how they quote names. */
const QUOTES = new Map<unknown, string>([
  ["sqlite", '"'],
  ["mysql", "`"],
]);

/**
 * The user with an address. Looking for other spellings reads the whole table, unless it has an index on `lower(email)`, so it is done
 * only for addresses that are not found.
 *
 * @throws Error if the addresses of several users differ in case alone.
 */
export async function findByAddress(
  client: PrismaClientLike,
  users: Model<AdapterUser>,
  email: string,
): Promise<AdapterUser | null> {
  const found = await users.findUnique({ where: { email } });
  return userByAddress(found ? [found] : [], email) ?? userByAddress(await findSpellings(client, users, email), email);
}

async function findSpellings(client: PrismaClientLike, users: Model<AdapterUser>, email: string) {
  const provider: unknown = Reflect.get(client, "_activeProvider");
  // Not `equals`, which compares with a pattern.
  if (WITH_MODE.includes(provider)) return users.findMany({ where: { email: { in: [email], mode: "insensitive" } } });
  const quote = QUOTES.get(provider);
  const names = namesOf(client, users);
  if (quote === undefined || names === null) return [];
  const [table, column] = names.map((name) => quote + name.replaceAll(quote, quote + quote) + quote);
  const sql = `SELECT ${column} AS email FROM ${table} WHERE lower(${column}) = lower(?)`;
  const query: unknown = Reflect.get(client, "$queryRawUnsafe");
  if (typeof query !== "function") return [];
  const rows: readonly { readonly email: string }[] = await Reflect.apply(query, client, [sql, email]);
  return rows.length === 0 ? [] : users.findMany({ where: { email: { in: rows.map((row) => row.email) } } });
}

/** The names of the table and of its column of addresses, which the client knows; null if it does not. */
function namesOf(client: PrismaClientLike, users: Model<AdapterUser>): readonly [string, string] | null {
  const modelName = fieldOf(users, "email")?.modelName;
  const model = dataModelOf(client, modelName);
  const column = model?.fields.find(({ name }) => name === "email");
  return model && modelName && column ? [model.dbName ?? modelName, column.dbName ?? column.name] : null;
}
