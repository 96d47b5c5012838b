import { isRefused, race } from "./check.ts";
import { type ContractTest, contractTest } from "./contract-test.ts";
import { addUser, lookAlikes, precise, sampleAuthenticator, unicode, unique, uniqueOfLength } from "./samples.ts";

/** Passkeys and security keys. */
export const authenticatorTests: readonly ContractTest[] = [
  contractTest(
    "keeps every field of an authenticator",
    ["createUser", "createAuthenticator", "getAuthenticator"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      const rows = [
        sampleAuthenticator(userId),
        sampleAuthenticator(userId, {
          // 1023 bytes as base64, the longest id (WebAuthn L3 §4); an RSA key of 4096 bits.
          credentialID: uniqueOfLength(1364),
          providerAccountId: uniqueOfLength(191),
          credentialPublicKey: `${"k".repeat(718)}==`,
          counter: 2_147_483_647,
          credentialDeviceType: "multiDevice",
          credentialBackedUp: true,
          transports: "usb,nfc,ble,hybrid,internal,smart-card",
        }),
      ];
      for (const row of rows) check.record(await adapter.createAuthenticator(row), row);
      for (const row of rows) check.record(await adapter.getAuthenticator(row.credentialID), row);
    },
  ),
  contractTest(
    "keeps an authenticator with unknown transports",
    ["createUser", "createAuthenticator", "getAuthenticator"],
    async (adapter, check) => {
      const row = sampleAuthenticator(await addUser(adapter), { transports: undefined });
      await adapter.createAuthenticator(row);
      check.record(await adapter.getAuthenticator(row.credentialID), row);
    },
  ),
  contractTest("returns null for an unknown authenticator", ["getAuthenticator"], async (adapter, check) => {
    check.equal(await adapter.getAuthenticator(unique("nothing")), null);
  }),
  contractTest(
    "does not confuse credentials that look alike",
    ["createUser", "createAuthenticator", "getAuthenticator", "exactText"],
    async (adapter, check) => {
      const row = sampleAuthenticator(await addUser(adapter));
      await adapter.createAuthenticator(row);
      for (const other of lookAlikes(row.credentialID)) {
        check.equal({ other, found: await adapter.getAuthenticator(other) }, { other, found: null });
      }
    },
  ),
  contractTest(
    "stores each credential once, for any user",
    ["createUser", "createAuthenticator", "getAuthenticator", "uniqueKeys"],
    async (adapter, check) => {
      const row = sampleAuthenticator(await addUser(adapter));
      await adapter.createAuthenticator(row);
      const userId = await addUser(adapter);
      check.equal(await isRefused(() => adapter.createAuthenticator({ ...row, userId })), true);
      check.record(await adapter.getAuthenticator(row.credentialID), row);
    },
  ),
  contractTest(
    "lists the authenticators of one user",
    ["createUser", "createAuthenticator", "listAuthenticatorsByUserId"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      check.equal(await adapter.listAuthenticatorsByUserId(userId), []);
      const rows = [sampleAuthenticator(userId), sampleAuthenticator(userId, { transports: "usb" })];
      for (const row of rows) await adapter.createAuthenticator(row);
      await adapter.createAuthenticator(sampleAuthenticator(await addUser(adapter)));
      const listed = await adapter.listAuthenticatorsByUserId(userId);
      check.equal(listed.length, 2);
      for (const row of rows) {
        const found = listed.find(({ credentialID }) => credentialID === row.credentialID);
        check.record(found, row);
      }
    },
  ),
  contractTest(
    "counts the uses of one authenticator",
    ["createUser", "createAuthenticator", "updateAuthenticatorCounter", "getAuthenticator"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      const [used, unused] = [sampleAuthenticator(userId), sampleAuthenticator(userId)];
      for (const row of [used, unused]) await adapter.createAuthenticator(row);
      const after = { ...used, counter: 7 };
      check.record(await adapter.updateAuthenticatorCounter(used.credentialID, 7), after);
      check.record(await adapter.getAuthenticator(used.credentialID), after);
      check.record(await adapter.getAuthenticator(unused.credentialID), unused);
    },
  ),
  contractTest(
    "does not invent an authenticator to count",
    ["updateAuthenticatorCounter", "getAuthenticator"],
    async (adapter, check) => {
      const credentialID = unique("nothing");
      // Rejecting is correct, because there is nothing to resolve to.
      const { won } = await race(1, () => adapter.updateAuthenticatorCounter(credentialID, 1));
      check.equal(won.filter(Boolean), []);
      check.equal(await adapter.getAuthenticator(credentialID), null);
    },
  ),
  contractTest(
    "keeps the name and the times of an authenticator",
    ["createUser", "createAuthenticator", "getAuthenticator", "listAuthenticatorsByUserId", "updateAuthenticator"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      const row = sampleAuthenticator(userId, { name: unicode, createdAt: precise, usedAt: null });
      const { name: _, ...unnamed } = sampleAuthenticator(userId);
      for (const one of [row, unnamed]) await adapter.createAuthenticator(one);
      check.record(await adapter.getAuthenticator(row.credentialID), row);
      check.record(await adapter.getAuthenticator(unnamed.credentialID), { ...unnamed, name: null, createdAt: null });
      const listed = await adapter.listAuthenticatorsByUserId(userId);
      check.record(
        listed.find(({ credentialID }) => credentialID === row.credentialID),
        row,
      );
    },
  ),
  contractTest(
    "changes only the given members of one authenticator",
    ["createUser", "createAuthenticator", "getAuthenticator", "updateAuthenticator"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      const [row, other] = [1, 2].map(() =>
        sampleAuthenticator(userId, { name: "Phone", counter: 3, createdAt: precise, credentialBackedUp: true }),
      );
      if (row === undefined || other === undefined) return;
      for (const one of [row, other]) await adapter.createAuthenticator(one);
      const { credentialID } = row;
      const named = { ...row, name: "Work phone" };
      check.record(await adapter.updateAuthenticator({ credentialID, name: "Work phone" }), named);
      const use = { usedAt: new Date(precise.getTime() + 1), credentialBackedUp: false };
      check.record(await adapter.updateAuthenticator({ credentialID, ...use }), { ...named, ...use });
      check.record(await adapter.getAuthenticator(credentialID), { ...named, ...use });
      await adapter.updateAuthenticator({ credentialID, name: null });
      check.record(await adapter.getAuthenticator(credentialID), { ...named, ...use, name: null });
      check.record(await adapter.getAuthenticator(other.credentialID), other);
    },
  ),
  contractTest(
    "does not invent an authenticator to name",
    ["updateAuthenticator", "getAuthenticator"],
    async (adapter, check) => {
      const credentialID = unique("nothing");
      check.equal((await adapter.updateAuthenticator({ credentialID, name: "Phone" })) ?? null, null);
      check.equal(await adapter.getAuthenticator(credentialID), null);
    },
  ),
];
