import { isRefused, race } from "../check.ts";
import { type ContractTest, contractTest } from "../contract-test.ts";
import { addUser, sampleCredential } from "../samples.ts";

/** Concurrent calls: passwords and second factors. */
export const credentialRaces: readonly ContractTest[] = [
  contractTest(
    "keeps one password of a user when several are set concurrently",
    ["createUser", "createCredential", "listCredentialsByUserId", "uniqueKeys", "atomic"],
    async (adapter, check, racers) => {
      const userId = await addUser(adapter);
      const set = (owner: string, secret: string) =>
        adapter.createCredential(sampleCredential(owner, { type: "password", secret }));
      const { won, refused } = await race(racers, (n) => set(userId, `${n}`));
      check.equal({ won: won.length, refused }, { won: 1, refused: racers - 1 });
      check.equal(await isRefused(() => set(userId, "later")), true);
      check.equal(
        (await adapter.listCredentialsByUserId(userId)).map(({ secret }) => secret),
        [won[0]?.secret],
      );
      check.equal(await isRefused(async () => set(await addUser(adapter), "other")), false);
    },
  ),
  contractTest(
    "lets one of several concurrent callers change a credential",
    ["createUser", "createCredential", "updateCredential", "atomic"],
    async (adapter, check, racers) => {
      const { id } = await adapter.createCredential(sampleCredential(await addUser(adapter)));
      for (let version = 0; version < 3; version++) {
        const { won, refused } = await race(racers, (n) =>
          adapter.updateCredential({ id, version, state: { step: n } }),
        );
        const changed = won.filter((row) => row !== null);
        check.equal(
          { changed: changed.length, refused, version: changed[0]?.version },
          { changed: 1, refused: 0, version: version + 1 },
        );
      }
    },
  ),
  contractTest(
    "does not recreate a credential that is changed while it is removed",
    ["createUser", "createCredential", "updateCredential", "deleteCredential", "listCredentialsByUserId", "atomic"],
    async (adapter, check, racers) => {
      const userId = await addUser(adapter);
      const { id } = await adapter.createCredential(sampleCredential(userId));
      const { refused } = await race(racers, (n) =>
        n % 2 === 0 ? adapter.updateCredential({ id, version: 0, usedAt: null }) : adapter.deleteCredential(id),
      );
      check.equal({ refused, left: await adapter.listCredentialsByUserId(userId) }, { refused: 0, left: [] });
    },
  ),
];
