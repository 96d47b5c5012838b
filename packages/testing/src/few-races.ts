import type { Adapter, Store } from "@cardea/core/adapters";
import type { ContractFramework } from "./adapter-contract/contract-test.ts";

/** What the races need of two adapters on one database. */
interface Pair {
  readonly adapter: Adapter;
  readonly other: Adapter;
}

/**
 * Few calls that meet, on a setting of a database where it ends statements because of others. The contracts let many callers meet, which takes
 * such a setting long.
 */
export function fewRaces({ it, expect }: ContractFramework, make: () => Pair): void {
  const meet = (calls: readonly (() => unknown)[]) => Promise.all(calls.map(async (call) => call()));
  const rounds = [1, 2, 3];

  it("ends a session that is renewed at the same moment", async () => {
    const { adapter, other } = complete(make());
    for (const round of rounds) {
      const { id: userId } = await adapter.createUser({
        id: "new",
        email: `${round}@races.example`,
        emailVerified: null,
      });
      const session = { sessionToken: crypto.randomUUID(), userId, expires: new Date(Date.now() + 60_000) };
      await adapter.createSession(session);
      await meet([
        () => adapter.updateSession({ sessionToken: session.sessionToken, expires: session.expires }),
        () => other.deleteSession(session.sessionToken),
        () => other.updateSession({ sessionToken: session.sessionToken, expires: session.expires }),
        () => adapter.deleteSessionsByUserId(userId),
      ]);
      expect(await adapter.getSessionAndUser(session.sessionToken)).toEqual(null);
    }
  });

  it("changes a user in several calls at the same moment", async () => {
    const { adapter, other } = complete(make());
    for (const round of rounds) {
      const { id } = await adapter.createUser({ id: "new", email: `${round}@users.example`, emailVerified: null });
      const [name, image] = ["Grace", "https://example.com/grace.png"];
      await meet([
        () => adapter.updateUser({ id, name }),
        () => other.updateUser({ id, image }),
        () => adapter.updateUser({ id, name }),
        () => other.updateUser({ id, image }),
      ]);
      const after = await adapter.getUser(id);
      expect([after?.name, after?.image]).toEqual([name, image]);
    }
  });

  it("counts every call, and loses no entry of the log", async () => {
    const [store, other] = [storeOf(make().adapter), storeOf(make().other)];
    for (const round of rounds) {
      const [key, log] = [`races:${round}`, `races-log:${round}`];
      const add = (to: Store) => async () => (await to.add(key, 1, { ttl: 60 })).value;
      const values = await meet([add(store), add(other), add(store), add(other)]);
      expect(values.sort()).toEqual([1, 2, 3, 4]);
      const append = (to: Store) => () => to.log?.append(log, "entry", { ttl: 60 });
      await meet([append(store), append(other), append(store)]);
      expect((await store.log?.since(log, null))?.entries.length).toEqual(3);
    }
  });
}

function complete({ adapter, other }: Pair): {
  readonly adapter: Required<Adapter>;
  readonly other: Required<Adapter>;
} {
  // A cast: the adapters of this repository have every method.
  return { adapter, other } as { readonly adapter: Required<Adapter>; readonly other: Required<Adapter> };
}

function storeOf({ store }: Adapter): Store {
  if (store === undefined) throw new Error("The adapter has no store.");
  return store;
}
