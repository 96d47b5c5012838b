import { race } from "../check.ts";
import { type ContractTest, contractTest } from "../contract-test.ts";
import { addUser, keyOf, sampleAccount, sampleAuthenticator } from "../samples.ts";

/** Concurrent calls: accounts and authenticators. */
export const accountRaces: readonly ContractTest[] = [
  contractTest(
    "links an account once when several requests link it concurrently",
    ["createUser", "linkAccount", "getUserByAccount", "uniqueKeys", "atomic"],
    async (adapter, check, racers) => {
      const users = await Promise.all(Array.from({ length: racers }, () => addUser(adapter)));
      const account = sampleAccount("");
      const { won, refused } = await race(racers, async (n) => {
        await adapter.linkAccount({ ...account, userId: users[n] ?? "" });
        return users[n];
      });
      check.equal({ won: won.length, refused }, { won: 1, refused: racers - 1 });
      check.record(await adapter.getUserByAccount(keyOf(account)), { id: won[0] });
    },
  ),
  contractTest(
    "unlinks an account several times concurrently without an error",
    ["createUser", "linkAccount", "unlinkAccount", "getUserByAccount"],
    async (adapter, check, racers) => {
      const account = sampleAccount(await addUser(adapter));
      await adapter.linkAccount(account);
      const { refused } = await race(racers, () => adapter.unlinkAccount(keyOf(account)));
      const owner = await adapter.getUserByAccount(keyOf(account));
      check.equal({ refused, owner }, { refused: 0, owner: null });
    },
  ),
  contractTest(
    "replaces tokens once when several callers expect the same",
    ["createUser", "linkAccount", "swapAccountTokens", "getAccount", "atomic"],
    async (adapter, check, racers) => {
      const account = sampleAccount(await addUser(adapter), { refresh_token: "r1" });
      await adapter.linkAccount(account);
      const { won } = await race(racers, (n) =>
        adapter.swapAccountTokens({ ...keyOf(account), expected: "r1", tokens: { refresh_token: `r-${n}` } }),
      );
      const winners = won.flatMap((swapped, n) => (swapped ? [`r-${n}`] : []));
      check.equal({ callers: won.length, winners: winners.length }, { callers: racers, winners: 1 });
      check.record(await adapter.getAccount(account.providerAccountId, account.provider), {
        refresh_token: winners[0],
      });
    },
  ),
  contractTest(
    "replaces no tokens of an account that is unlinked concurrently",
    ["createUser", "linkAccount", "unlinkAccount", "swapAccountTokens", "getAccount", "atomic"],
    async (adapter, check, racers) => {
      const account = sampleAccount(await addUser(adapter), { refresh_token: "r1" });
      await adapter.linkAccount(account);
      const { refused } = await race(racers, (n) =>
        n % 2 === 0
          ? adapter.swapAccountTokens({ ...keyOf(account), expected: "r1", tokens: { refresh_token: "r2" } })
          : adapter.unlinkAccount(keyOf(account)),
      );
      const found = await adapter.getAccount(account.providerAccountId, account.provider);
      check.equal({ refused, found }, { refused: 0, found: null });
    },
  ),
  contractTest(
    "stores a credential once when several users register it concurrently",
    ["createUser", "createAuthenticator", "getAuthenticator", "uniqueKeys", "atomic"],
    async (adapter, check, racers) => {
      const users = await Promise.all(Array.from({ length: racers }, () => addUser(adapter)));
      const passkey = sampleAuthenticator("");
      const { won, refused } = await race(racers, (n) =>
        adapter.createAuthenticator({ ...passkey, userId: users[n] ?? "" }),
      );
      check.equal({ won: won.length, refused }, { won: 1, refused: racers - 1 });
      const userId = won[0]?.userId;
      check.record(await adapter.getAuthenticator(passkey.credentialID), { ...passkey, userId });
    },
  ),
  contractTest(
    "ends with the greatest of several counters that are stored concurrently",
    ["createUser", "createAuthenticator", "updateAuthenticatorCounter", "getAuthenticator", "atomic"],
    async (adapter, check, racers) => {
      const passkey = sampleAuthenticator(await addUser(adapter));
      await adapter.createAuthenticator(passkey);
      // The greatest is stored first, so an adapter that keeps the last write ends with a smaller one.
      const { won, refused } = await race(racers, (n) =>
        adapter.updateAuthenticatorCounter(passkey.credentialID, racers - n),
      );
      const tooSmall = won.filter(({ counter }, n) => counter < racers - n);
      check.equal({ refused, tooSmall }, { refused: 0, tooSmall: [] });
      check.record(await adapter.getAuthenticator(passkey.credentialID), { ...passkey, counter: racers });
    },
  ),
];
