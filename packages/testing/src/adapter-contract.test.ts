import type { Adapter, VerificationToken } from "@cardea/core/adapters";
import { describe, expect, it } from "vitest";
import type { AdapterUnderTest } from "./adapter-contract/contract-test.ts";
import { adapterContract } from "./adapter-contract.ts";
import type { FullAdapter } from "./memory-adapter/methods.ts";
import { createMemoryAdapter } from "./memory-adapter.ts";

/** Runs the contract in a test framework of three lines; resolves to the names of its tests by outcome. */
async function runContract(makeAdapter: () => AdapterUnderTest) {
  const outcome = { passed: [] as string[], failed: [] as string[], skipped: [] as string[] };
  const bodies: [string, (...context: unknown[]) => Promise<void>][] = [];
  const framework = {
    expect,
    describe: (_name: string, body: () => void) => body(),
    it: (name: string, body: (...context: unknown[]) => Promise<void>) => bodies.push([name, body]),
  };
  adapterContract(framework, makeAdapter);
  for (const [name, body] of bodies) {
    let skipped = false;
    const skip = () => {
      skipped = true;
    };
    const failed = await body({ skip }).then(
      () => false,
      () => true,
    );
    outcome[failed ? "failed" : skipped ? "skipped" : "passed"].push(name);
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

describe("adapterContract()", () => {
  describe("of the memory adapter", () => {
    adapterContract({ describe, it, expect }, createMemoryAdapter);
  });

  describe("of a memory adapter that hands out expired rows", () => {
    adapterContract({ describe, it, expect }, () => createMemoryAdapter({ returnExpired: true }));
  });

  it("skips what the adapter has no methods for", async () => {
    const { adapter } = createMemoryAdapter();
    const { createUser, getUser } = adapter;
    const { passed, failed, skipped } = await runContract(() => ({ adapter: { createUser, getUser } }));
    expect(failed).toEqual([]);
    expect(passed).toEqual(["stores a user with only an address", "gives each user a different id"]);
    expect(skipped.length).toBeGreaterThan(50);
  });

  it("skips what the database cannot do", async () => {
    const capabilities = { usersWithoutEmail: false };
    const { skipped } = await runContract(() => ({ ...createMemoryAdapter(), capabilities }));
    expect(skipped).toEqual(["keeps several users without an address"]);
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

  it("runs where the framework passes nothing to a test", async () => {
    const bodies: (() => Promise<void>)[] = [];
    const it = (_name: string, body: () => Promise<void>) => bodies.push(body);
    adapterContract({ expect, describe: (_name, body) => body(), it }, () => ({ adapter: {} }));
    for (const body of bodies) {
      expect(body.length).toBe(0); // or Jest waits for a callback
      await body();
    }
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
    expect(failed).toContain("keeps every field of a session, and gives its user with it");
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
