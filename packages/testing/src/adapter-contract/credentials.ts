import type { NewCredential } from "@cardea/core/adapters";
import { isRefused, race } from "./check.ts";
import { type ContractTest, contractTest } from "./contract-test.ts";
import { addUser, precise, unicode, unique } from "./samples.ts";

/** A second factor that was used. */
function sampleCredential(userId: string, changes: Partial<NewCredential> = {}): NewCredential {
  const secret = `kid:${"s".repeat(2000)}`;
  const state = { step: 58_766_666, codes: ["a", "b"], text: unicode };
  return { userId, type: "totp", secret, label: "Phone", createdAt: precise, usedAt: precise, state, ...changes };
}

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
    "keeps one password of a user, however many are set at the same moment",
    ["createUser", "createCredential", "listCredentialsByUserId", "uniqueKeys", "atomic"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      const { won } = await race(6, (n) =>
        adapter.createCredential(sampleCredential(userId, { type: "password", secret: `${n}` })),
      );
      check.equal(won.length, 1);
      check.equal(
        await isRefused(() => adapter.createCredential(sampleCredential(userId, { type: "password" }))),
        true,
      );
      check.equal(
        (await adapter.listCredentialsByUserId(userId)).map(({ secret }) => secret),
        [won[0]?.secret],
      );
      check.equal(
        await isRefused(async () =>
          adapter.createCredential(sampleCredential(await addUser(adapter), { type: "password" })),
        ),
        false,
      );
    },
  ),
  contractTest(
    "changes a credential that is as it was read",
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
    "lets one of several change a credential",
    ["createUser", "createCredential", "updateCredential", "atomic"],
    async (adapter, check) => {
      const { id } = await adapter.createCredential(sampleCredential(await addUser(adapter)));
      for (let version = 0; version < 3; version++) {
        const { won, refused } = await race(8, (n) => adapter.updateCredential({ id, version, state: { step: n } }));
        const changed = won.filter((row) => row !== null);
        check.equal(
          { changed: changed.length, refused, version: changed[0]?.version },
          { changed: 1, refused: 0, version: version + 1 },
        );
      }
    },
  ),
  contractTest(
    "removes a credential, and those of a user with them",
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
