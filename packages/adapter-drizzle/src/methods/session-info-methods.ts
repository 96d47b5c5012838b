import type { Adapter, SessionInfo } from "@cardea/core/adapters";
import { and, gt, isNull, sql } from "drizzle-orm";
import type { AnyTable, OpenDatabase } from "../database.ts";
import { rowsOf } from "../rows.ts";
import { columnOf, whereText } from "../where.ts";
import { toSessionInfo } from "./to-records.ts";

/** Session records. Structured members are stored as JSON text, which every database supports. */
export function sessionInfoMethods(database: OpenDatabase, table: AnyTable) {
  const infos = rowsOf(database, table);
  const by = (key: Readonly<Record<string, string>>) => whereText(database.dialect, table, key);
  return {
    async createSessionInfo(info) {
      return toSessionInfo(await infos.insert(toRow(info), by({ id: info.id })));
    },
    async getSessionInfo(tokenHash) {
      const row = await infos.find(by({ tokenHash }));
      return row && toSessionInfo(row);
    },
    async updateSessionInfo(id, patch) {
      const row = await infos.update(toRow(patch), by({ id }));
      return row && toSessionInfo(row);
    },
    async listSessionInfosByUserId(userId, activeAt) {
      const active = activeAt && and(isNull(columnOf(table, "endedAt")), gt(columnOf(table, "expires"), activeAt));
      const rows = await infos.list(and(by({ userId }), active) ?? sql`false`);
      return rows.map(toSessionInfo);
    },
    async deleteSessionInfosByUserId(userId) {
      return infos.remove(by({ userId }));
    },
  } satisfies Adapter;
}

function toRow({ factors, idp, ...others }: Partial<SessionInfo>): object {
  return { ...others, factors: factors && JSON.stringify(factors), idp: idp ? JSON.stringify(idp) : idp };
}
