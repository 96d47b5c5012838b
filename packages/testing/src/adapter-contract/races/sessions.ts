import { race } from "../check.ts";
import { type ContractTest, contractTest } from "../contract-test.ts";
import { addUser, precise, sampleSession, sampleSessionInfo } from "../samples.ts";

/** Concurrent calls: sessions and their records. */
export const sessionRaces: readonly ContractTest[] = [
  contractTest(
    "creates one session when several with the same token are created concurrently",
    ["createUser", "createSession", "getSessionAndUser", "uniqueKeys", "atomic"],
    async (adapter, check, racers) => {
      const users = await Promise.all(Array.from({ length: racers }, () => addUser(adapter)));
      const session = sampleSession("");
      const { won, refused } = await race(racers, (n) => adapter.createSession({ ...session, userId: users[n] ?? "" }));
      check.equal({ won: won.length, refused }, { won: 1, refused: racers - 1 });
      const found = await adapter.getSessionAndUser(session.sessionToken);
      check.record(found?.session, { ...session, userId: won[0]?.userId });
    },
  ),
  contractTest(
    "deletes a session several times concurrently without an error",
    ["createUser", "createSession", "deleteSession", "getSessionAndUser"],
    async (adapter, check, racers) => {
      const { sessionToken } = await adapter.createSession(sampleSession(await addUser(adapter)));
      const { won, refused } = await race(racers, () => adapter.deleteSession(sessionToken));
      check.equal({ refused, found: await adapter.getSessionAndUser(sessionToken) }, { refused: 0, found: null });
      // An adapter need not report which call deleted the session. If it does, it must be only one.
      check.equal(won.filter(Boolean).length <= 1, true);
    },
  ),
  contractTest(
    "does not recreate a session that is renewed while it is deleted",
    ["createUser", "createSession", "updateSession", "deleteSession", "getSessionAndUser", "atomic"],
    async (adapter, check, racers) => {
      const { sessionToken } = await adapter.createSession(sampleSession(await addUser(adapter)));
      const { refused } = await race(racers, (n) =>
        n === Math.floor(racers / 2)
          ? adapter.deleteSession(sessionToken)
          : adapter.updateSession({ sessionToken, expires: new Date(precise.getTime() + n) }),
      );
      check.equal({ refused, found: await adapter.getSessionAndUser(sessionToken) }, { refused: 0, found: null });
    },
  ),
  contractTest(
    "creates one session record when several with the same hash are created concurrently",
    ["createUser", "createSessionInfo", "getSessionInfo", "listSessionInfosByUserId", "uniqueKeys", "atomic"],
    async (adapter, check, racers) => {
      const userId = await addUser(adapter);
      const { tokenHash } = sampleSessionInfo(userId);
      const infos = Array.from({ length: racers }, () => sampleSessionInfo(userId, { tokenHash }));
      const { won, refused } = await race(racers, async (n) => {
        await adapter.createSessionInfo(infos[n] ?? sampleSessionInfo(userId));
        return infos[n]?.id;
      });
      check.equal({ won: won.length, refused }, { won: 1, refused: racers - 1 });
      check.record(await adapter.getSessionInfo(tokenHash), { id: won[0] });
      check.equal((await adapter.listSessionInfosByUserId(userId)).length, 1);
    },
  ),
];
