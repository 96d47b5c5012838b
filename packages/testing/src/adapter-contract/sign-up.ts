import { isRefused } from "./check.ts";
import { type ContractTest, contractTest } from "./contract-test.ts";
import { addUser, keyOf, precise, sampleAccount, sampleUser } from "./samples.ts";

/** Users who are made with their first account. */
export const signUpTests: readonly ContractTest[] = [
  contractTest(
    "makes a user and their account at once",
    ["createUserWithAccount", "getUser", "getAccount"],
    async (adapter, check) => {
      const { userId: _, ...account } = sampleAccount("", { access_token: "a", expires_at: 1 });
      const draft = sampleUser({ emailVerified: precise });
      const { id, ...made } = await adapter.createUserWithAccount(draft, account);
      const { id: _proposed, ...expected } = draft;
      check.record(made, expected);
      check.record(await adapter.getUser(id), { id, ...expected });
      check.record(await adapter.getAccount(account.providerAccountId, account.provider), { ...account, userId: id });
    },
  ),
  contractTest(
    "makes no user when the account is somebody's",
    ["createUserWithAccount", "createUser", "linkAccount", "getUserByAccount", "getUserByEmail", "uniqueKeys"],
    async (adapter, check) => {
      const { userId, ...account } = sampleAccount(await addUser(adapter));
      await adapter.linkAccount({ ...account, userId });
      const draft = sampleUser();
      check.equal(await isRefused(() => adapter.createUserWithAccount(draft, account)), true);
      check.equal(await adapter.getUserByEmail(draft.email ?? ""), null);
      check.record(await adapter.getUserByAccount(keyOf({ ...account })), { id: userId });
    },
  ),
  contractTest(
    "makes no account when the address is somebody's",
    ["createUserWithAccount", "createUser", "getUserByAccount", "uniqueKeys"],
    async (adapter, check) => {
      const draft = sampleUser();
      await adapter.createUser(draft);
      const { userId: _, ...account } = sampleAccount("");
      check.equal(await isRefused(() => adapter.createUserWithAccount(draft, account)), true);
      check.equal(await adapter.getUserByAccount(keyOf({ ...account })), null);
    },
  ),
];
