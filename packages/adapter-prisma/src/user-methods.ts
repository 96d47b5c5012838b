import type { Adapter, AdapterUser } from "@cardea/core/adapters";
import type { Model } from "./models-of.ts";
import { requireText, withoutUndefined } from "./write-rows.ts";

/**
 * Whether two addresses are the same except for the case of ASCII letters. MySQL also finds addresses that differ in
 * accents, which belong to other users.
 */
function isSameAddress(one: string | null, other: string): boolean {
  const fold = (address: string): string => address.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return one !== null && fold(one) === fold(other);
}

/** Users. */
export function userMethods(users: Model<AdapterUser>) {
  return {
    async createUser({ id: _proposed, ...user }) {
      // The database generates the id: the column may have another type, such as an ObjectId.
      return await users.create({ data: withoutUndefined(user) });
    },
    async getUser(id) {
      const user = await users.findUnique({ where: { id: requireText(id, "id") } });
      return user?.id === id ? user : null;
    },
    async getUserByEmail(email) {
      const user = await users.findUnique({ where: { email: requireText(email, "email") } });
      return user && email !== "" && isSameAddress(user.email, email) ? user : null;
    },
    async updateUser({ id, ...changes }) {
      return await users.update({ where: { id: requireText(id, "id") }, data: withoutUndefined(changes) });
    },
    async deleteUser(id) {
      // The database also deletes the user's rows in other tables (onDelete: Cascade).
      await users.deleteMany({ where: { id: requireText(id, "id") } });
    },
  } satisfies Adapter;
}
