import type { Adapter } from "@cardea/core/adapters";
import { toStored } from "./columns.ts";
import type { DatabaseKind } from "./connection.ts";
import type { Builder } from "./table.ts";
import { columnsOf, type Tables } from "./tables.ts";

/** Session records. */
export function sessionInfoMethods({ sessionInfos }: Tables, kind: DatabaseKind) {
  return {
    async createSessionInfo(info) {
      await sessionInfos.insert(info);
      return info;
    },
    getSessionInfo: (tokenHash) => sessionInfos.find({ tokenHash }),
    updateSessionInfo: (id, patch) => sessionInfos.updateAndRead({ id }, patch),
    listSessionInfosByUserId(userId, activeAt) {
      if (activeAt === undefined) return sessionInfos.list({ userId });
      const { expires } = toStored({ expires: activeAt }, columnsOf.SessionInfo, kind);
      const isActive = (builder: Builder) =>
        builder.and([builder("endedAt", "is", null), builder("expires", ">", expires)]);
      return sessionInfos.list({ userId }, isActive);
    },
    deleteSessionInfosByUserId: (userId) => sessionInfos.remove({ userId }),
  } satisfies Adapter;
}
