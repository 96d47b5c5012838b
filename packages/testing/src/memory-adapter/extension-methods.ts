import { type Adapter, memoryStore } from "@cardea/core/adapters";
import { requireUser, type Tables } from "./tables.ts";

/** The methods for data of extensions: session records, credentials and shared state. */
export function extensionMethods({ tables, now }: { readonly tables: Tables; readonly now: () => number }) {
  const { sessionInfos, credentials } = tables;
  return {
    async createSessionInfo(info) {
      requireUser(tables, info.userId);
      return sessionInfos.insert(info);
    },
    getSessionInfo: async (tokenHash) => sessionInfos.find((row) => row.tokenHash === tokenHash) ?? null,
    updateSessionInfo: async (id, patch) => sessionInfos.update((row) => row.id === id, patch) ?? null,
    listSessionInfosByUserId: async (userId, activeAt) =>
      sessionInfos.list(
        (row) => row.userId === userId && (activeAt === undefined || (!row.endedAt && row.expires > activeAt)),
      ),
    deleteSessionInfosByUserId: async (userId) => sessionInfos.remove((row) => row.userId === userId).length,
    async createCredential(credential) {
      requireUser(tables, credential.userId);
      const id = credential.type === "password" ? `password:${credential.userId}` : crypto.randomUUID();
      return credentials.insert({ state: null, ...credential, id, version: 0 });
    },
    listCredentialsByUserId: async (userId) => credentials.list((row) => row.userId === userId),
    async updateCredential({ id, version, ...changes }) {
      const next = { ...changes, version: version + 1 };
      return credentials.update((row) => row.id === id && row.version === version, next) ?? null;
    },
    deleteCredential: async (id) => credentials.remove((row) => row.id === id)[0] ?? null,
    // The database is in the memory of this process, so there is only one.
    store: memoryStore({ instances: 1, now }),
  } satisfies Adapter;
}
