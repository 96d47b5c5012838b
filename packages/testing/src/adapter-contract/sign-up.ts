import { isRefused } from "./check.ts";
import { type ContractTest, contractTest } from "./contract-test.ts";
import { addUser, keyOf, precise, sampleAccount, sampleAuthenticator, sampleUser } from "./samples.ts";

function passkeyAccount({ credentialID }: { readonly credentialID: string }) {
  return { provider: "passkey", type: "webauthn", providerAccountId: credentialID } as const;
}

/** Users who are created together with their first account. */
export const signUpTests: readonly ContractTest[] = [
  contractTest(
    "creates a user and their account together",
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
    "creates a user, their account and its passkey together",
    ["createUserWithAccount", "getUserByAccount", "getAuthenticator", "createAuthenticator"],
    async (adapter, check) => {
      const { userId: _, ...authenticator } = sampleAuthenticator("");
      const account = passkeyAccount(authenticator);
      const { id } = await adapter.createUserWithAccount(sampleUser(), account, authenticator);
      check.record(await adapter.getUserByAccount(keyOf(account)), { id });
      check.record(await adapter.getAuthenticator(authenticator.credentialID), { ...authenticator, userId: id });
    },
  ),
  contractTest(
    "creates neither user nor account if the passkey exists",
    ["createUserWithAccount", "createUser", "createAuthenticator", "getUserByAccount", "getUserByEmail", "uniqueKeys"],
    async (adapter, check) => {
      const { userId, ...authenticator } = await adapter.createAuthenticator(
        sampleAuthenticator(await addUser(adapter)),
      );
      const account = passkeyAccount(authenticator);
      const draft = sampleUser();
      check.equal(await isRefused(() => adapter.createUserWithAccount(draft, account, authenticator)), true);
      check.equal(await adapter.getUserByEmail(draft.email ?? ""), null);
      check.equal(await adapter.getUserByAccount(keyOf(account)), null);
      check.equal(userId === "", false);
    },
  ),
  contractTest(
    "creates no user if the account exists",
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
    "creates no account if the address is in use",
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
