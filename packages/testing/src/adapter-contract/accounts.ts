import { isRefused } from "./check.ts";
import { type ContractTest, contractTest } from "./contract-test.ts";
import { addUser, hostileTexts, keyOf, lookAlikes, sampleAccount, unicode, unique, uniqueOfLength } from "./samples.ts";

/** Every stored member of an account. Some tokens have several kilobytes, and the time is the largest 32-bit one. */
const tokens = {
  access_token: `access.${"a".repeat(8000)}`,
  refresh_token: `refresh.${"r".repeat(4000)}`,
  id_token: `id.${"i".repeat(6000)}`,
  scope: `openid ${"https://api.example/scope ".repeat(80).trim()}`,
  token_type: "bearer",
  expires_at: 2_147_483_647,
  session_state: `state.${"s".repeat(250)}`,
} as const;

/** Accounts find their user, and no one else. */
export const accountTests: readonly ContractTest[] = [
  contractTest(
    "finds the user by their account",
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      await addUser(adapter);
      const account = sampleAccount(userId);
      await adapter.linkAccount(account);
      const { provider, providerAccountId } = account;
      check.record(await adapter.getUserByAccount({ provider, providerAccountId }), { id: userId, name: "Ann" });
    },
  ),
  contractTest(
    "keeps every field of an account",
    ["createUser", "linkAccount", "getAccount"],
    async (adapter, check) => {
      const account = sampleAccount(await addUser(adapter), { ...tokens, type: "oidc" });
      await adapter.linkAccount(account);
      check.record(await adapter.getAccount(account.providerAccountId, account.provider), account);
    },
  ),
  contractTest(
    "keeps an account without tokens",
    ["createUser", "linkAccount", "getAccount"],
    async (adapter, check) => {
      const account = sampleAccount(await addUser(adapter), { refresh_token: undefined });
      await adapter.linkAccount(account);
      const absent = Object.fromEntries(Object.keys(tokens).map((name) => [name, null]));
      check.record(await adapter.getAccount(account.providerAccountId, account.provider), { ...account, ...absent });
    },
  ),
  contractTest(
    "ignores members without a column",
    ["createUser", "linkAccount", "getUserByAccount", "extraAccountMembers"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      const extra = { expires_in: 3600, authorization_details: [{ type: "example" }], not_before_policy: 0 };
      const account = sampleAccount(userId, { ...tokens, ...extra });
      await adapter.linkAccount(account);
      check.record(await adapter.getUserByAccount(keyOf(account)), { id: userId });
    },
  ),
  contractTest(
    "keeps ids of 255 characters and of any script",
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      // OpenID Connect Core §2: a subject has up to 255 characters.
      for (const providerAccountId of [uniqueOfLength(255), `${unicode} ${unique("id")}`]) {
        const account = sampleAccount(userId, { providerAccountId });
        await adapter.linkAccount(account);
        check.record(await adapter.getUserByAccount(keyOf(account)), { id: userId });
      }
    },
  ),
  contractTest("returns null for an unknown account", ["getUserByAccount"], async (adapter, check) => {
    const key = { provider: "example", providerAccountId: unique("unknown") };
    check.equal(await adapter.getUserByAccount(key), null);
  }),
  contractTest("returns null if the account does not exist", ["getAccount"], async (adapter, check) => {
    check.equal(await adapter.getAccount(unique("unknown"), "example"), null);
  }),
  contractTest(
    "distinguishes the accounts of two providers",
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, check) => {
      const [ann, bo] = [await addUser(adapter), await addUser(adapter)];
      const id = unique("id");
      // Both pairs are the same text, divided at different places.
      const pairs = [
        { userId: ann, provider: "one", providerAccountId: `two:${id}` },
        { userId: bo, provider: "one:two", providerAccountId: id },
      ];
      for (const pair of pairs) await adapter.linkAccount(sampleAccount(pair.userId, pair));
      for (const pair of pairs) check.record(await adapter.getUserByAccount(keyOf(pair)), { id: pair.userId });
      check.equal(await adapter.getUserByAccount({ provider: "two", providerAccountId: id }), null);
    },
  ),
  contractTest(
    "treats ids as text, not as a pattern, a path or SQL",
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, check) => {
      await adapter.linkAccount(sampleAccount(await addUser(adapter)));
      for (const text of hostileTexts) {
        const user = await adapter.getUserByAccount({ provider: "example", providerAccountId: text });
        check.equal({ text, user }, { text, user: null });
      }
    },
  ),
  contractTest(
    "does not confuse ids that look alike",
    ["createUser", "linkAccount", "getUserByAccount", "exactText"],
    async (adapter, check) => {
      const account = sampleAccount(await addUser(adapter));
      await adapter.linkAccount(account);
      for (const providerAccountId of lookAlikes(account.providerAccountId)) {
        const user = await adapter.getUserByAccount({ provider: account.provider, providerAccountId });
        check.equal({ providerAccountId, user }, { providerAccountId, user: null });
      }
    },
  ),
];

/** Accounts that are linked twice, unlinked, listed or changed. */
export const accountChangeTests: readonly ContractTest[] = [
  contractTest(
    "links an account to one user only",
    ["createUser", "linkAccount", "getUserByAccount", "uniqueKeys"],
    async (adapter, check) => {
      const account = sampleAccount(await addUser(adapter));
      await adapter.linkAccount(account);
      const other = await addUser(adapter);
      check.equal(await isRefused(() => adapter.linkAccount({ ...account, userId: other })), true);
      check.record(await adapter.getUserByAccount(keyOf(account)), { id: account.userId });
    },
  ),
  contractTest(
    "unlinks one account and keeps the others",
    ["createUser", "linkAccount", "unlinkAccount", "getUserByAccount"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      const [gone, kept] = [sampleAccount(userId), sampleAccount(userId)];
      await adapter.linkAccount(gone);
      await adapter.linkAccount(kept);
      await adapter.unlinkAccount(keyOf(gone));
      check.equal(await adapter.getUserByAccount(keyOf(gone)), null);
      check.record(await adapter.getUserByAccount(keyOf(kept)), { id: userId });
      await adapter.linkAccount(gone);
      check.record(await adapter.getUserByAccount(keyOf(gone)), { id: userId });
    },
  ),
  contractTest("unlinks a missing account without an error", ["unlinkAccount"], async (adapter) => {
    await adapter.unlinkAccount({ provider: "example", providerAccountId: unique("unknown") });
  }),
  contractTest(
    "lists the accounts of one user",
    ["createUser", "linkAccount", "listAccountsByUserId"],
    async (adapter, check) => {
      const userId = await addUser(adapter);
      check.equal(await adapter.listAccountsByUserId(userId), []);
      const accounts = [sampleAccount(userId, tokens), sampleAccount(userId)];
      for (const account of accounts) await adapter.linkAccount(account);
      await adapter.linkAccount(sampleAccount(await addUser(adapter)));
      const listed = await adapter.listAccountsByUserId(userId);
      check.equal(listed.length, 2);
      for (const account of accounts) {
        const found = listed.find(({ providerAccountId }) => providerAccountId === account.providerAccountId);
        check.record(found, account);
      }
    },
  ),
  contractTest(
    "replaces the tokens of an account",
    ["createUser", "linkAccount", "updateAccount", "getAccount"],
    async (adapter, check) => {
      const account = sampleAccount(await addUser(adapter), tokens);
      const other = sampleAccount(account.userId, tokens);
      for (const linked of [account, other]) await adapter.linkAccount(linked);
      const { provider, providerAccountId } = account;
      const fresh = { access_token: "fresh", expires_at: 1, refresh_token: undefined, expires_in: 60 };
      const after = { ...account, access_token: "fresh", expires_at: 1 };
      check.record(await adapter.updateAccount({ provider, providerAccountId, ...fresh }), after);
      check.record(await adapter.getAccount(providerAccountId, provider), after);
      check.record(await adapter.getAccount(other.providerAccountId, provider), other);
    },
  ),
  contractTest(
    "changes nothing if the account does not exist",
    ["updateAccount", "getAccount"],
    async (adapter, check) => {
      const key = { provider: "example", providerAccountId: unique("unknown") };
      check.equal((await adapter.updateAccount({ ...key, access_token: "fresh" })) ?? null, null);
      check.equal(await adapter.getAccount(key.providerAccountId, key.provider), null);
    },
  ),
];
