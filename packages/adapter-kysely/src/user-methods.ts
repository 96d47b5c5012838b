import { type Adapter, type AdapterUser, userByAddress } from "@cardea/core/adapters";
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
 * The user with an address. Looking for other spellings reads the whole table, unless it has an index on `lower(email)`, so it is done
 * only for addresses that are not found.
 *
 * @throws Error if the addresses of several users differ in case alone.
 */
async function findByAddress({ db }: Connection, email: string): Promise<AdapterUser | null> {
  const find = async (matching: And) => {
    const rows = await runStatement({ db }, () => db.selectFrom("User").selectAll().where(matching).execute());
    return userByAddress(
      rows.map((row) => assumeUser(fromStored(row, columnsOf.User))),
      email,
    );
  };
  const isSpelledSo: And = (builder) => builder("email", "=", email);
  return (await find(isSpelledSo)) ?? find((builder) => sql<SqlBool>`lower(${builder.ref("email")}) = lower(${email})`);
}

/** A cast: `User` has these columns. */
function assumeUser(row: object): AdapterUser {
  return row as AdapterUser;
}
