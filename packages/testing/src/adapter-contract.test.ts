import type { Adapter, AdapterAccount, AdapterMethod, VerificationToken } from "@cardea/core/adapters";
import { describe, expect, it } from "vitest";
import type { AdapterContractOptions, AdapterUnderTest } from "./adapter-contract/contract-test.ts";
import { adapterContract } from "./adapter-contract.ts";
import type { FullAdapter } from "./memory-adapter/methods.ts";
import { createMemoryAdapter } from "./memory-adapter.ts";

/** Runs the contract in a test framework of three lines; resolves to the names of its tests by outcome. */
async function runContract(makeAdapter: () => AdapterUnderTest, options?: AdapterContractOptions) {
  const outcome = { passed: [] as string[], failed: [] as string[], messages: [] as string[] };
  const bodies: [string, () => Promise<void>][] = [];
  const framework = {
    expect,
    describe: (_name: string, body: () => void) => body(),
    it: (name: string, body: () => Promise<void>) => bodies.push([name, body]),
  };
  adapterContract(framework, makeAdapter, options);
  for (const [name, body] of bodies) {
    expect(body.length).toBe(0); // or Jest waits for a callback
    await body().then(
      () => outcome.passed.push(name),
      (error: unknown) => {
        outcome.failed.push(name);
        outcome.messages.push(error instanceof Error ? error.message : String(error));
      },
    );
  }
  return outcome;
}

/** What the contract says of the memory adapter with something else in place of some of its methods. */
async function runBroken(replace: (adapter: FullAdapter) => Adapter) {
  return runContract(() => {
    const { adapter } = createMemoryAdapter();
    return { adapter: { ...adapter, ...replace(adapter) } };
  });
}

/** A cast: `Omit` drops the members that an index signature hides. */
function assumeAccount(account: object): AdapterAccount {
  return account as AdapterAccount;
}

describe("adapterContract()", () => {
  describe("of the memory adapter", () => {
    adapterContract({ describe, it, expect }, createMemoryAdapter);
  });

  describe("of a memory adapter that hands out expired rows", () => {
    adapterContract({ describe, it, expect }, () => createMemoryAdapter({ returnExpired: true }));
  });

  it("leaves out what the adapter is said to lack, and says how much that is", async () => {
    const { createUser, getUser, ...others } = createMemoryAdapter().adapter;
    const lacks = Object.keys(others).filter((name): name is AdapterMethod => name !== "store");
    const { passed, failed } = await runContract(() => ({ adapter: { createUser, getUser } }), { lacks });
    expect(failed).toEqual([]);
    expect(passed.filter((name) => !name.includes("the adapter lacks"))).toEqual([
      "stores a user with only an address",
      "gives each user a different id",
    ]);
    const reported = passed.map((name) => /^the adapter lacks (\w+) \(tests left out: [1-9]\d*\)$/.exec(name)?.[1]);
    expect(reported.filter((name) => name !== undefined)).toEqual(lacks);
  });

  it("fails where the adapter lacks a method and nothing says so", async () => {
    const { swapAccountTokens: _, ...adapter } = createMemoryAdapter().adapter;
    const { failed, messages } = await runContract(() => ({ adapter }));
    expect(failed).toContain("replaces tokens once when several callers expect the same");
    expect(new Set(messages)).toEqual(
      new Set([expect.stringMatching(/^The adapter has no swapAccountTokens\. .*`lacks`/)]),
    );
  });

  it("fails where the adapter has what it is said to lack", async () => {
    const { adapter } = createMemoryAdapter();
    const { failed } = await runContract(() => ({ adapter }), { lacks: ["unlinkAccount"] });
    expect(failed).toEqual([expect.stringMatching(/^the adapter lacks unlinkAccount \(tests left out: \d+\)$/)]);
  });

  it("leaves out what the database cannot do", async () => {
    const all = await runContract(createMemoryAdapter);
    const some = await runContract(createMemoryAdapter, { lacks: ["usersWithoutEmail"] });
    expect(all.passed.filter((name) => !some.passed.includes(name))).toEqual([
      "keeps several users without an address",
    ]);
    expect(some.passed.filter((name) => !all.passed.includes(name))).toEqual([
      "the adapter lacks usersWithoutEmail (tests left out: 1)",
    ]);
  });

  it("races as many callers as are asked for", async () => {
    const { adapter, calls } = createMemoryAdapter();
    const { failed } = await runContract(() => ({ adapter }), { racers: 7 });
    const before = calls.filter(({ method }) => method === "createUserWithAccount").length;
    await runContract(() => ({ adapter }));
    const after = calls.filter(({ method }) => method === "createUserWithAccount").length;
    // Three of its tests are races.
    expect({ failed, more: after - 2 * before }).toEqual({ failed: [], more: 3 * (50 - 7) });
  });

  it("puts the database away after each test, also after one that failed", async () => {
    let made = 0;
    let cleaned = 0;
    const { failed } = await runContract(() => {
      made++;
      const getUser = () => Promise.reject(new Error("down"));
      return { adapter: { ...createMemoryAdapter().adapter, getUser }, cleanup: () => void cleaned++ };
    });
    expect(failed.length).toBeGreaterThan(0);
    expect(cleaned).toBe(made);
  });
});

describe("adapterContract() finds", () => {
  it("a token that is looked up by its address only", async () => {
    const { failed } = await runBroken((adapter) => {
      const tokens = new Map<string, string>();
      return {
        createVerificationToken(row) {
          tokens.set(row.identifier, row.token);
          return adapter.createVerificationToken(row);
        },
        useVerificationToken: ({ identifier }) =>
          adapter.useVerificationToken({ identifier, token: tokens.get(identifier) ?? "" }),
      };
    });
    expect(failed).toContain("requires address and token, and consumes nothing for a wrong one");
  });

  it("a token that is read first and deleted later", async () => {
    const { failed } = await runBroken(() => {
      const rows = new Map<string, VerificationToken>();
      const keyOf = ({ identifier, token }: Pick<VerificationToken, "identifier" | "token">) => identifier + token;
      return {
        createVerificationToken(row) {
          rows.set(keyOf(row), row);
          return row;
        },
        async useVerificationToken(params) {
          const row = rows.get(keyOf(params)) ?? null;
          await null;
          rows.delete(keyOf(params));
          return row;
        },
      };
    });
    expect(failed).toEqual(["returns a token to one of several concurrent callers"]);
  });

  it("dates without milliseconds", async () => {
    const cut = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);
    const { failed } = await runBroken((adapter) => ({
      createSession: (row) => adapter.createSession({ ...row, expires: cut(row.expires) }),
    }));
    expect(failed).toContain("keeps every field of a session, and returns it with its user");
  });

  it("accounts and sessions that stay behind", async () => {
    const { failed } = await runBroken((adapter) => ({
      async deleteUser(id) {
        await adapter.updateUser({ id, email: null });
      },
    }));
    expect(failed).toContain("deletes a user's accounts with the user");
    expect(failed).toContain("deletes a user's sessions with the user");
    expect(failed).toContain("deletes a user's authenticators with the user");
  });

  it("text that is compared without case", async () => {
    const { failed } = await runBroken((adapter) => {
      const tokens = new Map<string, string>();
      return {
        createSession(row) {
          tokens.set(row.sessionToken.toLowerCase(), row.sessionToken);
          return adapter.createSession(row);
        },
        getSessionAndUser: (token) => adapter.getSessionAndUser(tokens.get(token.toLowerCase()) ?? token),
      };
    });
    expect(failed).toEqual(["treats tokens as exact text, not as a pattern, a path or SQL"]);
  });

  it("a counter that follows the last writer", async () => {
    const { failed } = await runBroken((adapter) => {
      const counters = new Map<string, number>();
      return {
        async updateAuthenticatorCounter(id, counter) {
          const row = await adapter.updateAuthenticatorCounter(id, counter);
          counters.set(id, counter);
          return { ...row, counter };
        },
        async getAuthenticator(id) {
          const row = await adapter.getAuthenticator(id);
          return row && { ...row, counter: counters.get(id) ?? row.counter };
        },
      };
    });
    expect(failed).toEqual(["ends with the greatest of several counters that are stored concurrently"]);
  });

  it("a user who stays without their account", async () => {
    const { failed } = await runBroken((adapter) => ({
      async createUserWithAccount(user, account) {
        const made = await adapter.createUser(user);
        await adapter.linkAccount(assumeAccount({ ...account, userId: made.id }));
        return made;
      },
    }));
    expect(failed).toContain("signs up one of several users with the same account, and leaves no user of the others");
  });

  it("a row that is not there and makes an error of it", async () => {
    const { failed } = await runBroken((adapter) => ({
      async deleteSession(token) {
        if (!(await adapter.deleteSession(token))) throw new Error("no such row");
      },
    }));
    expect(failed).toEqual([
      "deletes a missing session without an error",
      "deletes a session several times concurrently without an error",
    ]);
  });
});
