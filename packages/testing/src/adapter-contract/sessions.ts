import { isRefused } from "./check.ts";
import { type ContractTest, contractTest } from "./contract-test.ts";
import { addUser, hostileTexts, lookAlikes, precise, sampleSession, sampleUser, unique } from "./samples.ts";

/** Sessions. */
export const sessionTests: readonly ContractTest[] = [
  contractTest(
    "keeps every field of a session, and returns it with its user",
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, check) => {
      const user = await adapter.createUser(sampleUser({ emailVerified: precise }));
      const session = sampleSession(user.id);
      check.record(await adapter.createSession(session), session);
      await adapter.createSession(sampleSession(await addUser(adapter)));
      const found = await adapter.getSessionAndUser(session.sessionToken);
      check.record(found?.session, session);
      check.record(found?.user, { ...user });
    },
  ),
  contractTest("returns null for an unknown session", ["getSessionAndUser"], async (adapter, check) => {
    check.equal(await adapter.getSessionAndUser(unique("nothing")), null);
  }),
  contractTest(
    "treats tokens as exact text, not as a pattern, a path or SQL",
    ["createUser", "createSession", "getSessionAndUser", "exactText"],
    async (adapter, check) => {
      const { sessionToken } = await adapter.createSession(sampleSession(await addUser(adapter)));
      for (const other of [...lookAlikes(sessionToken), ...hostileTexts]) {
        check.equal({ other, found: await adapter.getSessionAndUser(other) }, { other, found: null });
      }
    },
  ),
  contractTest(
    "returns an expired session unchanged, or null",
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, check) => {
      const session = sampleSession(await addUser(adapter), { expires: new Date("2020-01-01T00:00:00.001Z") });
      await adapter.createSession(session);
      const found = await adapter.getSessionAndUser(session.sessionToken);
      if (found !== null) check.record(found.session, session);
    },
  ),
  contractTest(
    "rejects a second session with the same token",
    ["createUser", "createSession", "getSessionAndUser", "uniqueKeys"],
    async (adapter, check) => {
      const session = sampleSession(await addUser(adapter));
      await adapter.createSession(session);
      const userId = await addUser(adapter);
      check.equal(await isRefused(() => adapter.createSession({ ...session, userId })), true);
      check.record((await adapter.getSessionAndUser(session.sessionToken))?.session, session);
    },
  ),
  contractTest(
    "changes only the expiry of a session",
    ["createUser", "createSession", "updateSession", "getSessionAndUser"],
    async (adapter, check) => {
      const session = sampleSession(await addUser(adapter));
      const other = sampleSession(session.userId);
      for (const one of [session, other]) await adapter.createSession(one);
      const expires = new Date(precise.getTime() + 1);
      const { sessionToken } = session;
      await adapter.updateSession({ sessionToken, expires });
      check.record((await adapter.getSessionAndUser(sessionToken))?.session, { ...session, expires });
      check.record((await adapter.getSessionAndUser(other.sessionToken))?.session, other);
    },
  ),
  contractTest(
    "does not recreate a deleted session",
    ["updateSession", "getSessionAndUser"],
    async (adapter, check) => {
      const sessionToken = unique("nothing");
      check.equal((await adapter.updateSession({ sessionToken, expires: precise })) ?? null, null);
      check.equal(await adapter.getSessionAndUser(sessionToken), null);
    },
  ),
];

/** Sessions that end. */
export const sessionEndTests: readonly ContractTest[] = [
  contractTest(
    "ends one session and keeps the others",
    ["createUser", "createSession", "deleteSession", "getSessionAndUser"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      const [gone, kept] = [sampleSession(userId), sampleSession(userId)];
      for (const session of [gone, kept]) await adapter.createSession(session);
      await adapter.deleteSession(gone.sessionToken);
      check.equal(await adapter.getSessionAndUser(gone.sessionToken), null);
      check.record((await adapter.getSessionAndUser(kept.sessionToken))?.session, kept);
    },
  ),
  contractTest("deletes a missing session without an error", ["deleteSession"], async (adapter) => {
    await adapter.deleteSession(unique("nothing"));
  }),
  contractTest(
    "lists the sessions of one user",
    ["createUser", "createSession", "listSessionsByUserId"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      check.equal(await adapter.listSessionsByUserId(userId), []);
      const sessions = [sampleSession(userId), sampleSession(userId)];
      for (const session of sessions) await adapter.createSession(session);
      await adapter.createSession(sampleSession(await addUser(adapter)));
      const listed = await adapter.listSessionsByUserId(userId);
      check.equal(listed.length, 2);
      for (const session of sessions) {
        const found = listed.find(({ sessionToken }) => sessionToken === session.sessionToken);
        check.record(found, session);
      }
    },
  ),
  contractTest(
    "ends every session of one user, and of no other",
    ["createUser", "createSession", "deleteSessionsByUserId", "getSessionAndUser"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      const gone = [sampleSession(userId), sampleSession(userId)];
      const kept = sampleSession(await addUser(adapter));
      for (const session of [...gone, kept]) await adapter.createSession(session);
      await adapter.deleteSessionsByUserId(userId);
      await adapter.deleteSessionsByUserId(userId);
      for (const { sessionToken } of gone) check.equal(await adapter.getSessionAndUser(sessionToken), null);
      check.record((await adapter.getSessionAndUser(kept.sessionToken))?.session, kept);
    },
  ),
];
