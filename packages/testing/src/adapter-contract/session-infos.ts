import type { SessionInfo } from "@cardea/core/adapters";
import { isRefused } from "./check.ts";
import { type ContractTest, contractTest } from "./contract-test.ts";
import { addUser, lookAlikes, precise, unicode, unique } from "./samples.ts";

/** A record of a session, with every member. */
function sampleInfo(userId: string, changes: Partial<SessionInfo> = {}): SessionInfo {
  return {
    id: unique("sid"),
    tokenHash: unique("Hash"),
    userId,
    createdAt: precise,
    seenAt: precise,
    expires: precise,
    factors: [
      { m: "pwd", t: 1_763_000_000 },
      { m: "otp", t: 1_763_000_060 },
    ],
    acr: "urn:example:loa3",
    provider: "example",
    providerAccountId: "x".repeat(255),
    idp: { provider: "example", iss: "https://id.example", sub: "ann", sid: "s", e: 2 },
    epoch: 3,
    userAgent: unicode,
    ip: "192.0.2.0",
    deviceKey: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
    endedAt: null,
    endReason: null,
    ...changes,
  };
}

/** Records of sessions. */
export const sessionInfoTests: readonly ContractTest[] = [
  contractTest(
    "keeps every field of the record of a session",
    ["createUser", "createSessionInfo", "getSessionInfo"],
    async (adapter, check) => {
      const info = sampleInfo(await addUser(adapter));
      await adapter.createSessionInfo(info);
      check.record(await adapter.getSessionInfo(info.tokenHash), info);
      const bare = sampleInfo(info.userId, {
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
    "finds a record by the very hash, and no record by another",
    ["createUser", "createSessionInfo", "getSessionInfo"],
    async (adapter, check) => {
      const info = sampleInfo(await addUser(adapter));
      await adapter.createSessionInfo(info);
      for (const hash of [...lookAlikes(info.tokenHash), info.id]) {
        check.equal({ hash, found: await adapter.getSessionInfo(hash) }, { hash, found: null });
      }
    },
  ),
  contractTest(
    "changes the members of a record that are given",
    ["createUser", "createSessionInfo", "getSessionInfo", "updateSessionInfo"],
    async (adapter, check) => {
      const [info, other] = [sampleInfo(await addUser(adapter)), sampleInfo(await addUser(adapter))];
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
    "lists and removes the records of one user",
    ["createUser", "createSessionInfo", "listSessionInfosByUserId", "deleteSessionInfosByUserId"],
    async (adapter, check) => {
      const [userId, otherId] = [await addUser(adapter), await addUser(adapter)];
      const infos = [sampleInfo(userId), sampleInfo(userId)];
      for (const info of [...infos, sampleInfo(otherId)]) await adapter.createSessionInfo(info);
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
    "has one record of one token",
    ["createUser", "createSessionInfo", "getSessionInfo", "uniqueKeys"],
    async (adapter, check) => {
      const info = sampleInfo(await addUser(adapter));
      await adapter.createSessionInfo(info);
      const second = sampleInfo(info.userId, { tokenHash: info.tokenHash });
      check.equal(await isRefused(() => adapter.createSessionInfo(second)), true);
      check.record(await adapter.getSessionInfo(info.tokenHash), info);
    },
  ),
  contractTest(
    "deletes the records of sessions with their user",
    ["createUser", "deleteUser", "createSessionInfo", "getSessionInfo", "cascade"],
    async (adapter, check) => {
      const info = sampleInfo(await addUser(adapter));
      await adapter.createSessionInfo(info);
      await adapter.deleteUser(info.userId);
      check.equal(await adapter.getSessionInfo(info.tokenHash), null);
    },
  ),
];
