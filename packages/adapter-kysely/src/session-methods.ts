import type { Adapter } from "@cardea/core/adapters";
import { fromStored } from "./columns.ts";
import { type Connection, runStatement } from "./connection.ts";
import { matches } from "./table.ts";
import { columnsOf, type Tables } from "./tables.ts";

/** Aliases for session columns that cannot collide with user columns. */
const BESIDE = { sessionUserId: "cardeaUserId", sessionExpires: "cardeaExpires" } as const;

/** Sessions. */
export function sessionMethods(connection: Connection, { sessions }: Tables) {
  const { db } = connection;
  const columns = { ...columnsOf.User, [BESIDE.sessionExpires]: "time" } as const;
  return {
    async createSession(session) {
      await sessions.insert(session);
      return session;
    },
    /** One statement. */
    async getSessionAndUser(sessionToken) {
      const found = db
        .selectFrom("Session")
        .innerJoin("User", "User.id", "Session.userId")
        .selectAll("User")
        .select([`Session.userId as ${BESIDE.sessionUserId}`, `Session.expires as ${BESIDE.sessionExpires}`])
        .where((builder) => matches(connection, { "Session.sessionToken": sessionToken }, builder));
      const [row] = await runStatement(connection, () => found.execute());
      if (row === undefined) return null;
      const { [BESIDE.sessionUserId]: userId, [BESIDE.sessionExpires]: expires, ...user } = fromStored(row, columns);
      return assumePair({ session: { sessionToken, userId, expires }, user });
    },
    updateSession: ({ sessionToken, ...changes }) => sessions.updateAndRead({ sessionToken }, changes),
    deleteSession: (sessionToken) => sessions.take({ sessionToken }),
    listSessionsByUserId: (userId) => sessions.list({ userId }),
    deleteSessionsByUserId: (userId) => sessions.remove({ userId }),
  } satisfies Adapter;
}

type Pair = NonNullable<Awaited<ReturnType<NonNullable<Adapter["getSessionAndUser"]>>>>;

/** A cast: these are the columns of `Session` and `User`. */
function assumePair(pair: object): Pair {
  return pair as Pair;
}
