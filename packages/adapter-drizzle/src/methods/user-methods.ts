import { type Adapter, type AdapterUser, userByAddress } from "@cardea/core/adapters";
import { type Column, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { AnyTable, OpenDatabase, Row } from "../database.ts";
import { inOneStep } from "../in-one-step.ts";
import { run } from "../query-error.ts";
import { type Rows, rowsOf } from "../rows.ts";
import type { Tables } from "../tables/tables.ts";
import { columnOf, findColumn, requireText, whereText } from "../where.ts";
import { draftUser } from "./draft-user.ts";
import { toUser } from "./to-records.ts";

/**
 * The user with an address. Looking for other spellings reads the whole table, unless it has an index on `lower(email)`, so it is done
 * only for addresses that are not found.
 *
 * @throws Error if the addresses of several users differ in case alone.
 */
async function findByAddress(users: Rows, column: Column, email: string): Promise<Row | null> {
  const find = async (where: SQL) => userByAddress(await users.list(where), email);
  return (await find(eq(column, email))) ?? find(sql`lower(${column}) = lower(${email})`);
}

/** Users, also by account. */
export function userMethods(database: OpenDatabase, tables: Tables) {
  const { usersTable, accountsTable } = tables;
  const users = rowsOf(database, usersTable);
  const byId = (id: string): SQL => whereText(database.dialect, usersTable, { id });
  return {
    async createUser(user) {
      const { row, id } = draftUser(database, usersTable, user);
      return toUser(await users.insert(row, byId(id ?? user.id)));
    },
    async getUser(id) {
      const row = await users.find(byId(id));
      return row && toUser(row);
    },
    async getUserByEmail(email) {
      if (requireText(email, "email") === "") return null;
      const row = await findByAddress(users, columnOf(usersTable, "email"), email);
      return row && toUser(row);
    },
    async getUserByAccount({ provider, providerAccountId }) {
      const where = whereText(database.dialect, accountsTable, { provider, providerAccountId });
      const isOwner = eq(columnOf(accountsTable, "userId"), columnOf(usersTable, "id"));
      const query = () =>
        database.db.select({ user: usersTable }).from(accountsTable).innerJoin(usersTable, isOwner).where(where);
      const [row] = await run(database, query);
      return row === undefined ? null : toUser(Object(row.user));
    },
    updateUser: ({ id, ...changes }) => updateUser(users, byId(id), changes),
    async deleteUser(id) {
      if (database.dialect === "sqlite") await deleteRowsOf(database, tables, requireText(id, "id"));
      await users.remove(byId(id));
    },
  } satisfies Adapter;
}

async function updateUser(users: Rows, where: SQL, changes: Partial<AdapterUser>): Promise<AdapterUser> {
  const row = await users.update(changes, where);
  if (row === null) throw new Error("No user with this id exists.");
  return toUser(row);
}

/**
 * Deletes the rows of a user. SQLite deletes them with the user (`ON DELETE CASCADE`) only if `PRAGMA foreign_keys` is
 * on, and it is off for each new connection of many drivers. Missing tables are ignored.
 */
async function deleteRowsOf(database: OpenDatabase, tables: Tables, userId: string): Promise<void> {
  const { usersTable: _users, ...others } = tables;
  const owned = Object.values(others).filter((table) => findColumn(table, "userId") !== undefined);
  const names = owned.map(nameOf);
  const listed = await run(database, () =>
    database.db.select({ name: sql`name` }).from(sql`sqlite_master`).where(inArray(sql`name`, names)),
  );
  const made = new Set(listed.map(({ name }) => name));
  const remove = owned
    .filter((table) => made.has(nameOf(table)))
    .map(
      (table) => (db: OpenDatabase["db"]) =>
        db
          .delete(table)
          .where(whereText("sqlite", table, { userId }))
          .returning(),
    );
  if (remove.length === 0) return;
  if (database.steps !== "none") await inOneStep(database, remove);
  else for (const part of remove) await run(database, () => part(database.db));
}

const nameSymbol = Symbol.for("drizzle:Name");

function nameOf(table: AnyTable): string {
  return String(Reflect.get(table, nameSymbol));
}
