import { isRefused, race } from "./check.ts";
import { type ContractTest, contractTest } from "./contract-test.ts";
import { addUser, hostileTexts, precise, sampleUser, unicode, unique, uniqueOfLength } from "./samples.ts";

/** Users are read as they were written, and look-ups find no other user. */
export const userTests: readonly ContractTest[] = [
  contractTest("keeps every field of a user", ["createUser", "getUser", "getUserByEmail"], async (adapter, check) => {
    const given = sampleUser({
      name: unicode,
      emailVerified: precise,
      image: `https://img.example/${"i".repeat(2000)}`,
    });
    const created = await adapter.createUser(given);
    const expected = { ...given, id: created.id };
    check.equal({ type: typeof created.id, empty: created.id === "" }, { type: "string", empty: false });
    check.record(created, expected);
    check.record(await adapter.getUser(created.id), expected);
    check.record(await adapter.getUserByEmail(given.email ?? ""), expected);
  }),
  contractTest("stores a user with only an address", ["createUser", "getUser"], async (adapter, check) => {
    const { id: proposed, email } = sampleUser();
    const { id } = await adapter.createUser({ id: proposed, email, emailVerified: null, name: undefined });
    check.record(await adapter.getUser(id), { id, email, name: null, image: null, emailVerified: null });
  }),
  contractTest("gives each user a different id", ["createUser"], async (adapter, check) => {
    const { won } = await race(5, () => addUser(adapter));
    check.equal(new Set(won).size, 5);
  }),
  contractTest("keeps an address of 254 characters", ["createUser", "getUserByEmail"], async (adapter, check) => {
    const email = `${uniqueOfLength(64)}@${"d".repeat(60)}.${"e".repeat(60)}.${"f".repeat(60)}.example`;
    check.equal(email.length >= 254, true);
    const { id } = await adapter.createUser(sampleUser({ email: email.slice(-254) }));
    check.record(await adapter.getUserByEmail(email.slice(-254)), { id });
  }),
  contractTest(
    "keeps several users without an address",
    ["createUser", "getUser", "getUserByEmail", "usersWithoutEmail"],
    async (adapter, check) => {
      const first = await adapter.createUser(sampleUser({ email: null }));
      const second = await adapter.createUser(sampleUser({ email: null }));
      check.record(await adapter.getUser(first.id), { id: first.id, email: null });
      check.record(await adapter.getUser(second.id), { id: second.id, email: null });
      check.equal(await adapter.getUserByEmail(""), null);
    },
  ),
  contractTest("returns null for an unknown user", ["getUser", "getUserByEmail"], async (adapter, check) => {
    check.equal(await adapter.getUser(unique("unknown")), null);
    check.equal(await adapter.getUserByEmail(`${unique("unknown")}@example.com`), null);
  }),
  contractTest(
    "treats addresses and ids as text, not as a pattern, a path or SQL",
    ["createUser", "getUser", "getUserByEmail"],
    async (adapter, check) => {
      await addUser(adapter);
      for (const text of hostileTexts) {
        check.equal({ text, user: await adapter.getUser(text) }, { text, user: null });
        check.equal({ text, user: await adapter.getUserByEmail(text) }, { text, user: null });
      }
      for (const email of ["%@example.com", "*@example.com", "_@example.com"]) {
        check.equal({ email, user: await adapter.getUserByEmail(email) }, { email, user: null });
      }
    },
  ),
  contractTest(
    "does not confuse addresses that look alike",
    ["createUser", "getUserByEmail", "exactText"],
    async (adapter, check) => {
      const email = `${unique("jose")}@example.com`;
      await adapter.createUser(sampleUser({ email }));
      for (const other of [email.replace("jose", "josé"), `${email} `, ` ${email}`]) {
        const found = await adapter.getUserByEmail(other);
        check.equal({ other, found }, { other, found: null });
      }
    },
  ),
  contractTest(
    "rejects a second user with the same address",
    ["createUser", "getUserByEmail", "uniqueKeys"],
    async (adapter, check) => {
      const { email } = sampleUser();
      const first = await adapter.createUser(sampleUser({ email }));
      check.equal(await isRefused(() => adapter.createUser(sampleUser({ email }))), true);
      check.record(await adapter.getUserByEmail(email ?? ""), { id: first.id });
    },
  ),
];

/** Changes of users. */
export const userUpdateTests: readonly ContractTest[] = [
  contractTest("changes only the given members", ["createUser", "getUser", "updateUser"], async (adapter, check) => {
    const before = await adapter.createUser(sampleUser({ image: "https://img.example/1" }));
    const after = { id: before.id, name: "Bo", email: before.email, emailVerified: precise, image: before.image };
    check.record(await adapter.updateUser({ id: before.id, name: "Bo", emailVerified: precise }), after);
    check.record(await adapter.getUser(before.id), after);
  }),
  contractTest(
    "ignores undefined members and clears null ones",
    ["createUser", "getUser", "updateUser"],
    async (adapter, check) => {
      const { id, email } = await adapter.createUser(sampleUser({ image: "https://img.example/1" }));
      await adapter.updateUser({ id, name: undefined, image: null });
      check.record(await adapter.getUser(id), { id, email, name: "Ann", image: null });
    },
  ),
  contractTest(
    "finds a user by the new address only",
    ["createUser", "getUserByEmail", "updateUser"],
    async (adapter, check) => {
      const before = sampleUser();
      const { id } = await adapter.createUser(before);
      const email = `${unique("new")}@example.com`;
      await adapter.updateUser({ id, email });
      check.record(await adapter.getUserByEmail(email), { id });
      check.equal(await adapter.getUserByEmail(before.email ?? ""), null);
    },
  ),
  contractTest(
    "rejects an address that another user has",
    ["createUser", "getUser", "updateUser", "uniqueKeys"],
    async (adapter, check) => {
      const taken = await adapter.createUser(sampleUser());
      const { id, email } = await adapter.createUser(sampleUser());
      check.equal(await isRefused(() => adapter.updateUser({ id, email: taken.email })), true);
      check.record(await adapter.getUser(id), { id, email });
    },
  ),
  contractTest(
    "loses no concurrent changes",
    ["createUser", "getUser", "updateUser", "atomic"],
    async (adapter, check) => {
      const id = await addUser(adapter);
      await Promise.all([
        adapter.updateUser({ id, name: "Bo" }),
        adapter.updateUser({ id, image: "https://img.example/2" }),
        adapter.updateUser({ id, emailVerified: precise }),
      ]);
      check.record(await adapter.getUser(id), { name: "Bo", image: "https://img.example/2", emailVerified: precise });
    },
  ),
  contractTest("does not invent a missing user", ["getUser", "updateUser"], async (adapter, check) => {
    const id = unique("unknown");
    // Rejecting is correct, because there is nothing to resolve to.
    const { won } = await race(1, () => adapter.updateUser({ id, name: "Bo" }));
    check.equal(won.filter(Boolean), []);
    check.equal(await adapter.getUser(id), null);
  }),
];
