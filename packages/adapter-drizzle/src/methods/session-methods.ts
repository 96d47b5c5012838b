import type { Adapter } from "@cardea/core/adapters";
import { eq, type SQL } from "drizzle-orm";
import type { OpenDatabase } from "../database.ts";
import { run } from "../query-error.ts";
import { rowsOf } from "../rows.ts";
import type { Tables } from "../tables/tables.ts";
import { columnOf, whereText } from "../where.ts";
import { toSession, toUser } from "./to-records.ts";

/** Sessions. */
export function sessionMethods(database: OpenDatabase, { sessionsTable, usersTable }: Tables) {
  const sessions = rowsOf(database, sessionsTable);
  const byToken = (sessionToken: string): SQL => whereText(database.dialect, sessionsTable, { sessionToken });
  const ofUser = (userId: string): SQL => whereText(database.dialect, sessionsTable, { userId });
  return {
    async createSession(session) {
      return toSession(await sessions.insert(session, byToken(session.sessionToken)));
    },
    async getSessionAndUser(sessionToken) {
      const where = byToken(sessionToken);
      const isOwner = eq(columnOf(sessionsTable, "userId"), columnOf(usersTable, "id"));
      const columns = { session: sessionsTable, user: usersTable };
      const query = () => database.db.select(columns).from(sessionsTable).innerJoin(usersTable, isOwner).where(where);
      const [row] = await run(database, query);
      return row === undefined ? null : { session: toSession(Object(row.session)), user: toUser(Object(row.user)) };
    },
    async updateSession({ sessionToken, ...changes }) {
      const row = await sessions.update(changes, byToken(sessionToken));
      return row && toSession(row);
    },
    async deleteSession(sessionToken) {
      const row = await sessions.take(byToken(sessionToken));
      return row && toSession(row);
    },
    async listSessionsByUserId(userId) {
      return (await sessions.list(ofUser(userId))).map(toSession);
    },
    async deleteSessionsByUserId(userId) {
      return sessions.remove(ofUser(userId));
    },
  } satisfies Adapter;
}
