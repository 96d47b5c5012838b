import type { Adapter, AdapterSession, AdapterUser } from "@cardea/core/adapters";
import type { Model } from "./models-of.ts";
import { ifThere, ownId, requireText, withOwnId, withoutUndefined } from "./write-rows.ts";

/** Sessions. */
export function sessionMethods(sessions: Model<AdapterSession>) {
  const byToken = (sessionToken: string) => ({ sessionToken: requireText(sessionToken, "sessionToken") });
  return {
    async createSession(session) {
      return await sessions.create({ data: withOwnId(withoutUndefined(session), sessions) });
    },
    async getSessionAndUser(sessionToken) {
      const row = await sessions.findUnique({ where: byToken(sessionToken), include: { [sessions.owner]: true } });
      // By default, MySQL also finds tokens that differ in case, which would make a token easier to guess.
      if (row?.sessionToken !== sessionToken) return null;
      const { [sessions.owner]: user, ...session } = { ...row } as Record<string, unknown>;
      // A cast: these are the columns of a session, and the relation is that to the users.
      return { session, user } as unknown as { readonly session: AdapterSession; readonly user: AdapterUser };
    },
    async updateSession({ sessionToken, ...changes }) {
      const data = withoutUndefined(changes);
      return await ifThere(sessions.update({ where: byToken(sessionToken), data }));
    },
    async deleteSession(sessionToken) {
      // Only one of several callers that have read the row deletes it; `delete()` would return it to more than one of
      // them on MariaDB.
      const row = await sessions.findUnique({ where: byToken(sessionToken) });
      const { count } = await sessions.deleteMany({ where: byToken(sessionToken) });
      return count === 1 ? row : null;
    },
    async listSessionsByUserId(userId) {
      return await sessions.findMany({ where: { userId: ownId(sessions, "userId", userId) } });
    },
    async deleteSessionsByUserId(userId) {
      const { count } = await sessions.deleteMany({ where: { userId: ownId(sessions, "userId", userId) } });
      return count;
    },
  } satisfies Adapter;
}
