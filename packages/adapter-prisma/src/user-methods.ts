import type { Adapter, AdapterUser } from "@cardea/core/adapters";
import { findByAddress } from "./find-by-address.ts";
import type { Model } from "./models-of.ts";
import type { PrismaClientLike } from "./prisma-client.ts";
import { ifIdFits, ownColumns, ownId, requireText, withoutUndefined } from "./write-rows.ts";

/** Users. */
export function userMethods(client: PrismaClientLike, users: Model<AdapterUser>) {
  return {
    async createUser({ id: _proposed, ...user }) {
      // The database generates the id: the column may have another type, such as an ObjectId.
      return await users.create({ data: ownColumns(user, users) });
    },
    async getUser(id) {
      const user = await ifIdFits(users.findUnique({ where: { id: ownId(users, "id", id) } }));
      return user !== null && String(user.id) === String(id) ? user : null;
    },
    async getUserByEmail(email) {
      return requireText(email, "email") === "" ? null : findByAddress(client, users, email);
    },
    async updateUser({ id, ...changes }) {
      return await users.update({ where: { id: ownId(users, "id", id) }, data: withoutUndefined(changes) });
    },
    async deleteUser(id) {
      // The database also deletes the user's rows in other tables (onDelete: Cascade).
      await users.deleteMany({ where: { id: ownId(users, "id", id) } });
    },
  } satisfies Adapter;
}
