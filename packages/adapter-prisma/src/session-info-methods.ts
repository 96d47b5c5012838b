import type { Adapter, SessionInfo } from "@cardea/core/adapters";
import type { Model, SessionInfoRow } from "./models-of.ts";
import { ifThere, onlyColumns, ownId, requireText, withOwnId } from "./write-rows.ts";

/** Session records. Structured members are stored as JSON text, which every database supports. */
export function sessionInfoMethods(infos: Model<SessionInfoRow>) {
  return {
    async createSessionInfo(info) {
      return parseInfo(await infos.create({ data: withOwnId(toRow(info, infos), infos) }));
    },
    async getSessionInfo(tokenHash) {
      const row = await infos.findUnique({ where: { tokenHash: requireText(tokenHash, "tokenHash") } });
      // MySQL, by default, also finds hashes that differ in case.
      return row?.tokenHash === tokenHash ? parseInfo(row) : null;
    },
    async updateSessionInfo(id, patch) {
      const row = await ifThere(infos.update({ where: { id: requireText(id, "id") }, data: toRow(patch, infos) }));
      return row && parseInfo(row);
    },
    async listSessionInfosByUserId(userId, activeAt) {
      const active = activeAt && { endedAt: null, expires: { gt: activeAt } };
      const rows = await infos.findMany({ where: { userId: ownId(infos, "userId", userId), ...active } });
      return rows.map(parseInfo);
    },
    async deleteSessionInfosByUserId(userId) {
      const { count } = await infos.deleteMany({ where: { userId: ownId(infos, "userId", userId) } });
      return count;
    },
  } satisfies Adapter;
}

function toRow(info: Partial<SessionInfo>, infos: Model<SessionInfoRow>): Record<string, unknown> {
  const { factors, idp, ...others } = info;
  return onlyColumns(
    { ...others, factors: factors && JSON.stringify(factors), idp: idp ? JSON.stringify(idp) : idp },
    infos,
  );
}

function parseInfo({ factors, idp, ...row }: SessionInfoRow): SessionInfo {
  return { ...row, factors: JSON.parse(factors), idp: idp === null ? null : JSON.parse(idp) };
}
