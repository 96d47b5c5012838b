/** Stores the local provider's sessions, codes and tokens in memory, until it is closed. */
import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";

interface Record {
  readonly payload: AdapterPayload;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

type Shelf = Map<string, Record>;

function findAlive(shelf: Shelf, id: string): AdapterPayload | undefined {
  const record = shelf.get(id);
  if (record === undefined || record.expires > Date.now()) return record?.payload;
  shelf.delete(id);
  return undefined;
}

function createShelfAdapter(shelf: Shelf): Adapter {
  const findBy = async (member: "uid" | "userCode", value: string): Promise<AdapterPayload | undefined> => {
    const id = [...shelf].find(([, { payload }]) => payload[member] === value)?.[0];
    return id === undefined ? undefined : findAlive(shelf, id);
  };
  return {
    async upsert(id, payload, expiresIn) {
      const expires = expiresIn === undefined ? Number.POSITIVE_INFINITY : Date.now() + expiresIn * 1000;
      shelf.set(id, { payload, expires });
    },
    find: async (id) => findAlive(shelf, id),
    findByUid: (uid) => findBy("uid", uid),
    findByUserCode: (userCode) => findBy("userCode", userCode),
    async consume(id) {
      const record = shelf.get(id);
      if (record === undefined) return;
      shelf.set(id, { ...record, payload: { ...record.payload, consumed: Math.floor(Date.now() / 1000) } });
    },
    async destroy(id) {
      shelf.delete(id);
    },
    async revokeByGrantId(grantId) {
      for (const [id, { payload }] of shelf) if (payload.grantId === grantId) shelf.delete(id);
    },
  };
}

/** Creates the adapters of one provider, one per type of record. */
export function createMemoryAdapters(): AdapterFactory {
  const shelves = new Map<string, Shelf>();
  return (name) => {
    const shelf: Shelf = shelves.get(name) ?? new Map();
    shelves.set(name, shelf);
    return createShelfAdapter(shelf);
  };
}
