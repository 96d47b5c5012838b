import { type ContractTest, contractTest } from "./contract-test.ts";
import {
  addUser,
  halvesOf,
  keyOf,
  sampleAccount,
  sampleAuthenticator,
  sampleSession,
  sampleToken,
  sampleUser,
  unique,
} from "./samples.ts";

/** Deleted users, and the data deleted with them. */
export const deletionTests: readonly ContractTest[] = [
  contractTest(
    "deletes one user and keeps the others",
    ["createUser", "deleteUser", "getUser", "getUserByEmail"],
    async (adapter, check) => {
      const gone = await adapter.createUser(sampleUser());
      const kept = await addUser(adapter);
      await adapter.deleteUser(gone.id);
      check.equal(await adapter.getUser(gone.id), null);
      check.equal(await adapter.getUserByEmail(gone.email ?? ""), null);
      check.record(await adapter.getUser(kept), { id: kept });
      const again = await adapter.createUser(sampleUser({ email: gone.email }));
      check.record(await adapter.getUserByEmail(gone.email ?? ""), { id: again.id });
    },
  ),
  contractTest("deletes a missing user without an error", ["deleteUser"], async (adapter) => {
    await adapter.deleteUser(unique("unknown"));
  }),
  contractTest(
    "deletes a user's accounts with the user",
    ["createUser", "linkAccount", "deleteUser", "getUserByAccount", "cascade"],
    async (adapter, check) => {
      const [gone, kept] = [sampleAccount(await addUser(adapter)), sampleAccount(await addUser(adapter))];
      for (const account of [gone, kept]) await adapter.linkAccount(account);
      await adapter.deleteUser(gone.userId);
      check.equal(await adapter.getUserByAccount(keyOf(gone)), null);
      check.record(await adapter.getUserByAccount(keyOf(kept)), { id: kept.userId });
      // The account is free for anyone who signs in with it next.
      const userId = await addUser(adapter);
      await adapter.linkAccount({ ...gone, userId });
      check.record(await adapter.getUserByAccount(keyOf(gone)), { id: userId });
    },
  ),
  contractTest(
    "deletes a user's sessions with the user",
    ["createUser", "createSession", "deleteUser", "getSessionAndUser", "cascade"],
    async (adapter, check) => {
      const [gone, kept] = [sampleSession(await addUser(adapter)), sampleSession(await addUser(adapter))];
      for (const session of [gone, kept]) await adapter.createSession(session);
      await adapter.deleteUser(gone.userId);
      check.equal(await adapter.getSessionAndUser(gone.sessionToken), null);
      check.record((await adapter.getSessionAndUser(kept.sessionToken))?.session, kept);
    },
  ),
  contractTest(
    "deletes a user's authenticators with the user",
    ["createUser", "createAuthenticator", "deleteUser", "getAuthenticator", "cascade"],
    async (adapter, check) => {
      const gone = sampleAuthenticator(await addUser(adapter));
      const kept = sampleAuthenticator(await addUser(adapter));
      for (const authenticator of [gone, kept]) await adapter.createAuthenticator(authenticator);
      await adapter.deleteUser(gone.userId);
      check.equal(await adapter.getAuthenticator(gone.credentialID), null);
      check.record(await adapter.getAuthenticator(kept.credentialID), kept);
    },
  ),
  contractTest(
    "keeps other users' pending e-mail sign-ins when a user is deleted",
    ["createUser", "deleteUser", "createVerificationToken", "useVerificationToken"],
    async (adapter, check) => {
      const token = sampleToken();
      await adapter.createVerificationToken(token);
      await adapter.deleteUser(await addUser(adapter));
      check.record(await adapter.useVerificationToken(halvesOf(token)), token);
    },
  ),
];
