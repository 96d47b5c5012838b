import { type ContractTest, contractTest } from "./contract-test.ts";
import { addUser, sampleCredential, unique } from "./samples.ts";

/** Passwords and second factors. */
export const credentialTests: readonly ContractTest[] = [
  contractTest(
    "keeps every field of a credential",
    ["createUser", "createCredential", "listCredentialsByUserId"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      check.equal(await adapter.listCredentialsByUserId(userId), []);
      const given = [sampleCredential(userId), sampleCredential(userId, { label: null, usedAt: null, state: null })];
      for (const credential of given) {
        const made = await adapter.createCredential(credential);
        check.record(made, { ...credential, version: 0 });
        const listed = await adapter.listCredentialsByUserId(userId);
        check.record(
          listed.find(({ id }) => id === made.id),
          { ...credential, id: made.id, version: 0 },
        );
      }
      await adapter.createCredential(sampleCredential(await addUser(adapter)));
      check.equal((await adapter.listCredentialsByUserId(userId)).length, 2);
    },
  ),
  contractTest(
    "changes a credential only in the version that was read",
    ["createUser", "createCredential", "updateCredential", "listCredentialsByUserId"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      const before = await adapter.createCredential(sampleCredential(userId));
      const change = { id: before.id, version: 0, state: { step: 1 }, usedAt: null, label: undefined };
      const after = { ...before, state: { step: 1 }, usedAt: null, version: 1 };
      check.record(await adapter.updateCredential(change), after);
      check.equal(await adapter.updateCredential({ ...change, state: { step: 2 } }), null);
      check.equal(await adapter.updateCredential({ ...change, id: unique("nothing") }), null);
      check.record((await adapter.listCredentialsByUserId(userId))[0], after);
      check.record(await adapter.updateCredential({ id: before.id, version: 1, secret: "other" }), {
        ...after,
        secret: "other",
        version: 2,
      });
    },
  ),
  contractTest(
    "removes a credential, and a user's credentials with the user",
    ["createUser", "deleteUser", "createCredential", "deleteCredential", "listCredentialsByUserId", "cascade"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      const [first] = [
        await adapter.createCredential(sampleCredential(userId)),
        await adapter.createCredential(sampleCredential(userId)),
      ];
      await adapter.deleteCredential(first.id);
      await adapter.deleteCredential(first.id);
      check.equal((await adapter.listCredentialsByUserId(userId)).length, 1);
      await adapter.deleteUser(userId);
      check.equal(await adapter.listCredentialsByUserId(userId), []);
    },
  ),
];
