import type { Adapter } from "@cardea/core/adapters";
import type { Tables } from "./tables.ts";

/** Session records. */
export function sessionInfoMethods({ sessionInfos }: Tables) {
  return {
    async createSessionInfo(info) {
      await sessionInfos.insert(info);
      return info;
    },
    getSessionInfo: (tokenHash) => sessionInfos.find({ tokenHash }),
    updateSessionInfo: (id, patch) => sessionInfos.updateAndRead({ id }, patch),
    listSessionInfosByUserId: (userId) => sessionInfos.list({ userId }),
    deleteSessionInfosByUserId: (userId) => sessionInfos.remove({ userId }),
  } satisfies Adapter;
}
