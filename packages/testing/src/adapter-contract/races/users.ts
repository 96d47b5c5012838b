import { race } from "../check.ts";
import { type ContractTest, contractTest } from "../contract-test.ts";
import {
  addUser,
  halvesOf,
  keyOf,
  sampleAccount,
  sampleAuthenticator,
  sampleSession,
  sampleToken,
  sampleUser,
} from "../samples.ts";

/** Members of a new user's account. */
function newAccount() {
  const { userId: _, ...account } = sampleAccount("");
  return account;
}

/** Concurrent calls: users and pending e-mail sign-ins. */
export const userRaces: readonly ContractTest[] = [
  contractTest(
    "creates one user when several with the same address are created concurrently",
    ["createUser", "getUserByEmail", "uniqueKeys", "atomic"],
    async (adapter, check, racers) => {
      const { email } = sampleUser();
      const { won, refused } = await race(racers, () => adapter.createUser(sampleUser({ email })));
      check.equal({ won: won.length, refused }, { won: 1, refused: racers - 1 });
      check.record(await adapter.getUserByEmail(email ?? ""), { id: won[0]?.id });
    },
  ),
  contractTest(
    "gives an address to one of several users who take it concurrently",
    ["createUser", "updateUser", "getUser", "getUserByEmail", "uniqueKeys", "atomic"],
    async (adapter, check, racers) => {
      const users = await Promise.all(Array.from({ length: racers }, () => adapter.createUser(sampleUser())));
      const { email } = sampleUser();
      const { won, refused } = await race(racers, async (n) => {
        await adapter.updateUser({ id: users[n]?.id ?? "", email });
        return n;
      });
      check.equal({ won: won.length, refused }, { won: 1, refused: racers - 1 });
      check.record(await adapter.getUserByEmail(email ?? ""), { id: users[won[0] ?? -1]?.id });
      const loser = users.find((_, n) => n !== won[0]);
      if (loser !== undefined) check.record(await adapter.getUser(loser.id), { ...loser });
    },
  ),
  contractTest(
    "signs up one of several users with the same address, and leaves no account of the others",
    ["createUserWithAccount", "getUserByEmail", "getUserByAccount", "uniqueKeys", "atomic"],
    async (adapter, check, racers) => {
      const { email } = sampleUser();
      const accounts = Array.from({ length: racers }, newAccount);
      const { won, refused } = await race(racers, (n) =>
        adapter.createUserWithAccount(sampleUser({ email }), accounts[n] ?? newAccount()),
      );
      check.equal({ won: won.length, refused }, { won: 1, refused: racers - 1 });
      check.record(await adapter.getUserByEmail(email ?? ""), { id: won[0]?.id });
      const owners = await Promise.all(accounts.map((account) => adapter.getUserByAccount(keyOf(account))));
      check.equal(
        owners.flatMap((owner) => (owner === null ? [] : [owner.id])),
        [won[0]?.id],
      );
    },
  ),
  contractTest(
    "signs up one of several users with the same account, and leaves no user of the others",
    ["createUserWithAccount", "getUserByEmail", "getUserByAccount", "uniqueKeys", "atomic"],
    async (adapter, check, racers) => {
      const account = newAccount();
      const drafts = Array.from({ length: racers }, () => sampleUser());
      const { won, refused } = await race(racers, (n) =>
        adapter.createUserWithAccount(drafts[n] ?? sampleUser(), account),
      );
      check.equal({ won: won.length, refused }, { won: 1, refused: racers - 1 });
      check.record(await adapter.getUserByAccount(keyOf(account)), { id: won[0]?.id });
      const users = await Promise.all(drafts.map(({ email }) => adapter.getUserByEmail(email ?? "")));
      check.equal(
        users.flatMap((user) => (user === null ? [] : [user.id])),
        [won[0]?.id],
      );
    },
  ),
  contractTest(
    "signs up one of several users with the same passkey, and leaves nothing of the others",
    [
      ...(["createUserWithAccount", "createAuthenticator", "getAuthenticator", "getUserByEmail"] as const),
      ...(["getUserByAccount", "uniqueKeys", "atomic"] as const),
    ],
    async (adapter, check, racers) => {
      const { userId: _, ...authenticator } = sampleAuthenticator("");
      const attempts = Array.from({ length: racers }, () => ({ draft: sampleUser(), account: newAccount() }));
      const { won, refused } = await race(racers, (n) => {
        const { draft = sampleUser(), account = newAccount() } = attempts[n] ?? {};
        return adapter.createUserWithAccount(draft, account, authenticator);
      });
      check.equal({ won: won.length, refused }, { won: 1, refused: racers - 1 });
      const winner = won[0]?.id;
      check.record(await adapter.getAuthenticator(authenticator.credentialID), { ...authenticator, userId: winner });
      const left = await Promise.all(
        attempts.flatMap(({ draft, account }) => [
          adapter.getUserByEmail(draft.email ?? ""),
          adapter.getUserByAccount(keyOf(account)),
        ]),
      );
      check.equal(
        left.flatMap((user) => (user === null ? [] : [user.id])),
        [winner, winner],
      );
    },
  ),
  contractTest(
    "deletes a user several times concurrently without an error",
    ["createUser", "deleteUser", "getUser"],
    async (adapter, check, racers) => {
      const id = await addUser(adapter);
      const { refused } = await race(racers, () => adapter.deleteUser(id));
      check.equal({ refused, user: await adapter.getUser(id) }, { refused: 0, user: null });
    },
  ),
  contractTest(
    "leaves no account and no session of a user who is deleted while they are created",
    [
      ...(["createUser", "deleteUser", "createSession", "getSessionAndUser"] as const),
      ...(["linkAccount", "getUserByAccount", "cascade", "atomic"] as const),
    ],
    async (adapter, check, racers) => {
      const userId = await addUser(adapter);
      const [account, session] = [sampleAccount(userId), sampleSession(userId)];
      const writes = [
        ...[() => adapter.linkAccount(account), () => adapter.createSession(session)],
        ...[() => adapter.deleteUser(userId), () => adapter.deleteUser(userId)],
      ];
      await race(Math.max(racers, writes.length), (n) => writes[n % writes.length]?.());
      // A write after the first deletion is rejected.
      check.equal(await adapter.getUserByAccount(keyOf(account)), null);
      check.equal(await adapter.getSessionAndUser(session.sessionToken), null);
      const heir = await addUser(adapter);
      await adapter.linkAccount({ ...account, userId: heir });
      check.record(await adapter.getUserByAccount(keyOf(account)), { id: heir });
    },
  ),
  contractTest(
    "returns a token to one of several concurrent callers",
    ["createVerificationToken", "useVerificationToken", "atomic"],
    async (adapter, check, racers) => {
      for (let round = 0; round < 3; round++) {
        const token = sampleToken();
        await adapter.createVerificationToken(token);
        const { won, refused } = await race(racers, () => adapter.useVerificationToken(halvesOf(token)));
        const given = won.filter((row) => row !== null);
        check.equal({ round, given: given.length, refused }, { round, given: 1, refused: 0 });
        check.record(given[0], token);
      }
    },
  ),
];
