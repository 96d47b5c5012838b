import type { CountedSignInMethods, SignInMethodRemoval } from "@cardea/core/adapters";
import { race } from "./check.ts";
import { type ContractTest, contractTest } from "./contract-test.ts";
import {
  addUser,
  keyOf,
  lookAlikes,
  sampleAccount,
  sampleAuthenticator,
  sampleCredential,
  sampleUser,
} from "./samples.ts";

const COUNTS: CountedSignInMethods = {
  providers: ["example"],
  passkeys: ["passkey"],
  credentials: ["password"],
  address: true,
};

function removalOf(userId: string, given: Partial<SignInMethodRemoval>): SignInMethodRemoval {
  return { userId, accounts: [], authenticators: [], credentials: [], counts: COUNTS, ...given };
}

/** Ways to sign in, of which one must remain. */
export const removalTests: readonly ContractTest[] = [
  contractTest(
    "removes an account, but not the last way to sign in",
    ["createUser", "linkAccount", "removeSignInMethod", "listAccountsByUserId"],
    async (adapter, check) => {
      const [first, second] = [sampleAccount(await addUser(adapter)), sampleAccount("")];
      const { userId } = first;
      for (const account of [first, { ...second, userId }]) await adapter.linkAccount(account);
      const remove = (account: typeof first) =>
        adapter.removeSignInMethod(removalOf(userId, { accounts: [keyOf(account)] }));
      check.equal([await remove(first), await remove(first), await remove(second)], ["removed", "missing", "last"]);
      check.equal((await adapter.listAccountsByUserId(userId)).map(keyOf), [keyOf(second)]);
    },
  ),
  contractTest(
    "counts a verified address, and an account only if its provider counts",
    ["createUser", "linkAccount", "removeSignInMethod"],
    async (adapter, check) => {
      const { id: userId } = await adapter.createUser(sampleUser({ emailVerified: new Date() }));
      const [account, other] = [sampleAccount(userId), sampleAccount(userId, { provider: "former" })];
      for (const one of [account, other]) await adapter.linkAccount(one);
      const accounts = [keyOf(account)];
      const without = { ...COUNTS, address: false };
      check.equal(await adapter.removeSignInMethod(removalOf(userId, { accounts, counts: without })), "last");
      check.equal(await adapter.removeSignInMethod(removalOf(userId, { accounts })), "removed");
    },
  ),
  contractTest(
    "removes a passkey with its account, and counts it only with both",
    [
      ...(["createUser", "linkAccount", "createAuthenticator", "removeSignInMethod"] as const),
      ...(["getAuthenticator", "listAccountsByUserId"] as const),
    ],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      const passkeys = [sampleAuthenticator(userId), sampleAuthenticator(userId)] as const;
      const keys = [
        { provider: "passkey", providerAccountId: passkeys[0].credentialID },
        { provider: "passkey", providerAccountId: passkeys[1].credentialID },
      ] as const;
      const remove = (n: 0 | 1) =>
        adapter.removeSignInMethod(
          removalOf(userId, { accounts: [keys[n]], authenticators: [passkeys[n].credentialID] }),
        );
      for (const passkey of passkeys) await adapter.createAuthenticator(passkey);
      await adapter.linkAccount({ userId, type: "webauthn", ...keys[0] });
      check.equal(await remove(0), "last");
      await adapter.linkAccount({ userId, type: "webauthn", ...keys[1] });
      check.equal(await remove(0), "removed");
      check.equal(await adapter.getAuthenticator(passkeys[0].credentialID), null);
      check.equal((await adapter.listAccountsByUserId(userId)).map(keyOf), [keys[1]]);
      check.equal(await remove(1), "last");
    },
  ),
  contractTest(
    "removes a password, and counts it",
    ["createUser", "linkAccount", "createCredential", "removeSignInMethod", "listCredentialsByUserId"],
    async (adapter, check) => {
      const account = sampleAccount(await addUser(adapter));
      const { userId } = account;
      const { id } = await adapter.createCredential(sampleCredential(userId, { type: "password" }));
      const factor = await adapter.createCredential(sampleCredential(userId));
      check.equal(await adapter.removeSignInMethod(removalOf(userId, { credentials: [id] })), "last");
      await adapter.linkAccount(account);
      check.equal(await adapter.removeSignInMethod(removalOf(userId, { credentials: [id] })), "removed");
      check.equal(
        (await adapter.listCredentialsByUserId(userId)).map((one) => one.id),
        [factor.id],
      );
    },
  ),
  contractTest(
    "removes nothing of another user, and nothing with a similar id",
    ["createUser", "linkAccount", "removeSignInMethod", "getAccount", "exactText"],
    async (adapter, check) => {
      const account = sampleAccount(await addUser(adapter));
      const { id: stranger } = await adapter.createUser(sampleUser({ emailVerified: new Date() }));
      await adapter.linkAccount(account);
      const attempts = [
        removalOf(stranger, { accounts: [keyOf(account)] }),
        ...lookAlikes(account.providerAccountId).map((providerAccountId) =>
          removalOf(account.userId, { accounts: [{ provider: "example", providerAccountId }] }),
        ),
      ];
      for (const attempt of attempts) check.equal(await adapter.removeSignInMethod(attempt), "missing");
      const { provider, providerAccountId } = account;
      check.record(await adapter.getAccount(providerAccountId, provider), account);
    },
  ),
];

/** Concurrent removals. */
export const removalRaces: readonly ContractTest[] = [
  contractTest(
    "leaves one of several accounts that are removed concurrently",
    ["createUser", "linkAccount", "removeSignInMethod", "listAccountsByUserId", "atomic"],
    async (adapter, check, racers) => {
      const userId = await addUser(adapter);
      const accounts = Array.from({ length: racers }, () => sampleAccount(userId));
      for (const account of accounts) await adapter.linkAccount(account);
      const { won } = await race(racers, (n) =>
        adapter.removeSignInMethod(removalOf(userId, { accounts: accounts.slice(n, n + 1).map(keyOf) })),
      );
      const left = await adapter.listAccountsByUserId(userId);
      const last = won.filter((outcome) => outcome === "last").length;
      check.equal({ answers: won.length, left: left.length, last }, { answers: racers, left: 1, last: 1 });
    },
  ),
  contractTest(
    "leaves one way to sign in when an account, a passkey and a password are removed concurrently",
    [
      ...(["createUser", "linkAccount", "createAuthenticator", "createCredential", "removeSignInMethod"] as const),
      ...(["listAccountsByUserId", "listCredentialsByUserId", "atomic"] as const),
    ],
    async (adapter, check) => {
      for (let n = 0; n < 10; n++) {
        const account = sampleAccount(await addUser(adapter));
        const { userId } = account;
        const passkey = sampleAuthenticator(userId);
        const key = { provider: "passkey", providerAccountId: passkey.credentialID };
        await adapter.linkAccount(account);
        await adapter.linkAccount({ userId, type: "webauthn", ...key });
        await adapter.createAuthenticator(passkey);
        const { id } = await adapter.createCredential(sampleCredential(userId, { type: "password" }));
        const removals = [
          removalOf(userId, { accounts: [keyOf(account)] }),
          removalOf(userId, { accounts: [key], authenticators: [passkey.credentialID] }),
          removalOf(userId, { credentials: [id] }),
        ] as const;
        const { won } = await race(removals.length, (at) => adapter.removeSignInMethod(removals[at] ?? removals[0]));
        const accounts = await adapter.listAccountsByUserId(userId);
        const credentials = await adapter.listCredentialsByUserId(userId);
        const left = accounts.length + credentials.length;
        check.equal({ outcomes: [...won].sort(), left }, { outcomes: ["last", "removed", "removed"], left: 1 });
      }
    },
  ),
];
