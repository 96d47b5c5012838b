import { isRefused } from "./check.ts";
import { type ContractTest, contractTest } from "./contract-test.ts";
import { addUser, lookAlikes, precise, sampleSessionInfo, unique } from "./samples.ts";

/** Records of sessions. */
export const sessionInfoTests: readonly ContractTest[] = [
  contractTest(
    "keeps every field of a session record",
    ["createUser", "createSessionInfo", "getSessionInfo"],
    async (adapter, check) => {
      const info = sampleSessionInfo(await addUser(adapter));
      await adapter.createSessionInfo(info);
      check.record(await adapter.getSessionInfo(info.tokenHash), info);
      const bare = sampleSessionInfo(info.userId, {
        acr: null,
        idp: null,
        userAgent: null,
        ip: null,
        deviceKey: null,
        factors: [],
      });
      await adapter.createSessionInfo(bare);
      check.record(await adapter.getSessionInfo(bare.tokenHash), bare);
    },
  ),
  contractTest(
    "finds a session record by its exact hash only",
    ["createUser", "createSessionInfo", "getSessionInfo"],
    async (adapter, check) => {
      const info = sampleSessionInfo(await addUser(adapter));
      await adapter.createSessionInfo(info);
      for (const hash of [...lookAlikes(info.tokenHash), info.id]) {
        check.equal({ hash, found: await adapter.getSessionInfo(hash) }, { hash, found: null });
      }
    },
  ),
  contractTest(
    "changes only the given members of a session record",
    ["createUser", "createSessionInfo", "getSessionInfo", "updateSessionInfo"],
    async (adapter, check) => {
      const [info, other] = [sampleSessionInfo(await addUser(adapter)), sampleSessionInfo(await addUser(adapter))];
      for (const one of [info, other]) await adapter.createSessionInfo(one);
      const later = new Date(precise.getTime() + 1);
      const change = {
        tokenHash: unique("Hash"),
        seenAt: later,
        endedAt: later,
        endReason: "limit",
        factors: [],
        epoch: 4,
      };
      check.record(await adapter.updateSessionInfo(info.id, { ...change, userAgent: undefined }), {
        ...info,
        ...change,
      });
      check.record(await adapter.getSessionInfo(change.tokenHash), { ...info, ...change });
      check.equal(await adapter.getSessionInfo(info.tokenHash), null);
      check.record(await adapter.getSessionInfo(other.tokenHash), other);
      check.equal((await adapter.updateSessionInfo(unique("unknown"), { seenAt: later })) ?? null, null);
    },
  ),
  contractTest(
    "lists and removes the session records of one user",
    ["createUser", "createSessionInfo", "listSessionInfosByUserId", "deleteSessionInfosByUserId"],
    async (adapter, check) => {
      const [userId, otherId] = [await addUser(adapter), await addUser(adapter)];
      const infos = [sampleSessionInfo(userId), sampleSessionInfo(userId)];
      for (const info of [...infos, sampleSessionInfo(otherId)]) await adapter.createSessionInfo(info);
      const listed = await adapter.listSessionInfosByUserId(userId);
      check.equal(listed.map(({ id }) => id).sort(), infos.map(({ id }) => id).sort());
      for (const info of infos)
        check.record(
          listed.find(({ id }) => id === info.id),
          info,
        );
      await adapter.deleteSessionInfosByUserId(userId);
      check.equal(await adapter.listSessionInfosByUserId(userId), []);
      check.equal((await adapter.listSessionInfosByUserId(otherId)).length, 1);
    },
  ),
  contractTest(
    "lists every session record that is active at the given time",
    ["createUser", "createSessionInfo", "listSessionInfosByUserId"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      const [before, after] = [new Date(precise.getTime() - 1), new Date(precise.getTime() + 1)];
      const ended = sampleSessionInfo(userId, { expires: after, endedAt: precise, endReason: "limit" });
      const active = sampleSessionInfo(userId, { expires: after });
      const expired = sampleSessionInfo(userId, { expires: before });
      for (const info of [ended, active, expired]) await adapter.createSessionInfo(info);
      const listed = await adapter.listSessionInfosByUserId(userId, precise);
      // An adapter may leave the others out.
      check.record(
        listed.find(({ id }) => id === active.id),
        active,
      );
      check.equal((await adapter.listSessionInfosByUserId(userId)).length, 3);
    },
  ),
  contractTest(
    "rejects a second session record for the same token",
    ["createUser", "createSessionInfo", "getSessionInfo", "uniqueKeys"],
    async (adapter, check) => {
      const info = sampleSessionInfo(await addUser(adapter));
      await adapter.createSessionInfo(info);
      const second = sampleSessionInfo(info.userId, { tokenHash: info.tokenHash });
      check.equal(await isRefused(() => adapter.createSessionInfo(second)), true);
      check.record(await adapter.getSessionInfo(info.tokenHash), info);
    },
  ),
  contractTest(
    "deletes a user's session records with the user",
    ["createUser", "deleteUser", "createSessionInfo", "getSessionInfo", "cascade"],
    async (adapter, check) => {
      const info = sampleSessionInfo(await addUser(adapter));
      await adapter.createSessionInfo(info);
      await adapter.deleteUser(info.userId);
      check.equal(await adapter.getSessionInfo(info.tokenHash), null);
    },
  ),
];
