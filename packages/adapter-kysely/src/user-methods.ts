import type { Adapter, AdapterUser } from "@cardea/core/adapters";
import { type SqlBool, sql } from "kysely";
import { fromStored } from "./columns.ts";
import { type Connection, runStatement } from "./connection.ts";
import { explained } from "./query-error.ts";
import { type And, matches, requireText } from "./table.ts";
import type { Tables } from "./tables.ts";
import { columnsOf } from "./tables.ts";

/** A user as stored. The adapter generates the id, like `@auth/kysely-adapter`. */
export function newUser(user: AdapterUser): AdapterUser {
  const { name = null, email = null, emailVerified = null, image = null } = user;
  return { ...user, name, email, emailVerified, image, id: crypto.randomUUID() };
}

/**
 * Whether two addresses are the same except for the case of ASCII letters. MySQL also finds addresses that differ in
 * accents, which belong to other users.
 */
function isSameAddress(one: string | null, other: string): boolean {
  const fold = (address: string): string => address.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return one !== null && fold(one) === fold(other);
}

/** Inserts a user. The ids are texts: a column of numbers is named. */
export async function insertUser(users: Tables["users"], user: AdapterUser): Promise<void> {
  try {
    await users.insert(user);
  } catch (error) {
    throw explained(error, true);
  }
}

/** Users, also by account. */
export function userMethods(connection: Connection, { users }: Tables) {
  const { db } = connection;
  return {
    async createUser(given) {
      const user = newUser(given);
      await insertUser(users, user);
      return user;
    },
    getUser: (id) => users.find({ id: requireText(id, "id") }),
    async getUserByEmail(email) {
      if (requireText(email, "email") === "") return null;
      return findByAddress(connection, email);
    },
    async getUserByAccount({ provider, providerAccountId }) {
      const key = { "Account.provider": provider, "Account.providerAccountId": providerAccountId };
      const found = db
        .selectFrom("User")
        .innerJoin("Account", "User.id", "Account.userId")
        .selectAll("User")
        .where((builder) => matches(connection, key, builder));
      const [row] = await runStatement(connection, () => found.execute());
      return row === undefined ? null : assumeUser(fromStored(row, columnsOf.User));
    },
    async updateUser({ id, ...changes }) {
      const user = await users.updateAndRead({ id: requireText(id, "id") }, changes);
      if (user !== null) return user;
      throw new Error(`No user with the id ${JSON.stringify(id)} exists.`);
    },
    async deleteUser(id) {
      // The database also deletes the user's rows in other tables (ON DELETE CASCADE).
      await users.remove({ id: requireText(id, "id") });
    },
  } satisfies Adapter;
}

/**
 * The user with an address: exactly as it is spelled, otherwise in any case, because the application may have stored capitals. The result
 * does not depend on the collation of the column. Looking for other spellings reads the whole table, unless it has an index on
 * `lower(email)`, so it is done only for addresses that are not found.
 *
 * @throws Error if the addresses of several users differ in case alone.
 */
async function findByAddress(connection: Connection, email: string): Promise<AdapterUser | null> {
  const find = async (matching: And) => {
    const found = connection.db.selectFrom("User").selectAll().where(matching);
    const rows = await runStatement(connection, () => found.execute());
    const users = rows.map((row) => assumeUser(fromStored(row, columnsOf.User)));
    return users.filter((user) => isSameAddress(user.email, email));
  };
  const found = await find((builder) => builder("email", "=", email));
  const exact = found.find((user) => user.email === email);
  if (exact !== undefined || found.length > 0) return exact ?? requireOne(found);
  return requireOne(await find((builder) => sql<SqlBool>`lower(${builder.ref("email")}) = lower(${email})`));
}

function requireOne(users: readonly AdapterUser[]): AdapterUser | null {
  if (users.length < 2) return users[0] ?? null;
  const ids = users.map(({ id }) => JSON.stringify(String(id))).join(", ");
  throw new Error(`The addresses of the users ${ids} differ in case alone. Change or remove all but one of them.`);
}

/** A cast: `User` has these columns. */
function assumeUser(row: object): AdapterUser {
  return row as AdapterUser;
}
