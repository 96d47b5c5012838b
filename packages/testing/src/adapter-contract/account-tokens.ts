import { type ContractTest, contractTest } from "./contract-test.ts";
import { addUser, keyOf, lookAlikes, sampleAccount, unique } from "./samples.ts";

/** Tokens of accounts, replaced by compare-and-set. */
export const accountTokenTests: readonly ContractTest[] = [
  contractTest(
    "replaces tokens if the stored refresh token is the expected one",
    ["createUser", "linkAccount", "swapAccountTokens", "getAccount"],
    async (adapter, check) => {
      const account = sampleAccount(await addUser(adapter), { access_token: "a1", refresh_token: "r1", scope: "mail" });
      const other = sampleAccount(account.userId, { refresh_token: "r1" });
      for (const linked of [account, other]) await adapter.linkAccount(linked);
      const tokens = { access_token: "a2", refresh_token: "r2", expires_at: 7 };
      check.equal(await adapter.swapAccountTokens({ ...keyOf(account), expected: "r1", tokens }), true);
      const { provider, providerAccountId } = account;
      check.record(await adapter.getAccount(providerAccountId, provider), { ...account, ...tokens });
      check.record(await adapter.getAccount(other.providerAccountId, provider), other);
      check.equal(await adapter.swapAccountTokens({ ...keyOf(account), expected: "r1", tokens }), false);
    },
  ),
  contractTest(
    "swaps from null only if no refresh token is stored, and clears one with null",
    ["createUser", "linkAccount", "swapAccountTokens", "getAccount"],
    async (adapter, check) => {
      const account = sampleAccount(await addUser(adapter), { refresh_token: undefined });
      await adapter.linkAccount(account);
      const key = keyOf(account);
      const swap = (expected: string | null, refresh_token: string | null) =>
        adapter.swapAccountTokens({ ...key, expected, tokens: { refresh_token, access_token: "a" } });
      check.equal([await swap("", "r"), await swap(null, "r"), await swap(null, "s")], [false, true, false]);
      check.equal(await swap("r", null), true);
      const { refresh_token = null } = (await adapter.getAccount(account.providerAccountId, account.provider)) ?? {};
      check.equal(refresh_token, null);
    },
  ),
  contractTest(
    "compares the stored refresh token byte by byte",
    ["createUser", "linkAccount", "swapAccountTokens", "getAccount"],
    async (adapter, check) => {
      const refreshToken = `Refresh.${unique("token")}`;
      const account = sampleAccount(await addUser(adapter), { refresh_token: refreshToken });
      await adapter.linkAccount(account);
      const variants = [
        ...lookAlikes(refreshToken),
        refreshToken.toLowerCase(),
        `${refreshToken} `,
        `${refreshToken}%`,
      ];
      for (const expected of variants) {
        const tokens = { refresh_token: "stolen" };
        const swapped = await adapter.swapAccountTokens({ ...keyOf(account), expected, tokens });
        check.equal({ expected, swapped }, { expected, swapped: false });
      }
      check.record(await adapter.getAccount(account.providerAccountId, account.provider), account);
    },
  ),
  contractTest(
    "replaces no tokens of an account that does not exist",
    ["swapAccountTokens"],
    async (adapter, check) => {
      const key = { provider: "example", providerAccountId: unique("unknown") };
      check.equal(await adapter.swapAccountTokens({ ...key, expected: null, tokens: { refresh_token: "r" } }), false);
    },
  ),
];
