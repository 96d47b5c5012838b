/** Several links of the owner are opened while an invited user is handed over and the holder of a session adds an account. */

import type { Adapter } from "@cardea/core/adapters";
import type { Callbacks } from "@cardea/core/types";
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { secondProvider, setUpDatabase } from "../harness/database-app.ts";
import { BASE, ORIGIN } from "../harness/harness.ts";
import { ADDRESS } from "../harness/planted.ts";

const PAGE = `${ORIGIN}${BASE}/confirm-address`;
const ROW = { id: "invited", name: "Ann", email: ADDRESS, emailVerified: null, image: null };
const LATE = { userId: ROW.id, provider: "x", providerAccountId: "late", type: "oauth" } as const;

/** An application of the same database, with an adapter of its own, that sends links. */
function start(memory: MemoryAdapter, adapter: Adapter = memory.adapter, signIn?: Callbacks["signIn"]) {
  const mails: string[] = [];
  const sendVerificationRequest = ({ url }: { url: string }) => void mails.push(url);
  const email = { id: "email", name: "E-mail", type: "email", sendVerificationRequest } as const;
  const second = secondProvider();
  const linking = { ...second.provider, allowDangerousEmailAccountLinking: true };
  const config = { adapter, providers: [email, linking], ...(signIn && { callbacks: { signIn } }) };
  const app = setUpDatabase({ memory, routes: second.routes, alsoTo: [second.op.issuer], config });
  return {
    ...app,
    ask: () => app.post(`${BASE}/signin/email`, { email: ADDRESS, callbackUrl: "/dash" }),
    open: () => app.browser.navigate(mails.at(-1) ?? ""),
    beginOp: async () => {
      second.op.user = { sub: "google", email: ADDRESS, email_verified: true };
      const page = await app.browser.navigate(`${BASE}/signin`);
      const begun = await app.browser.submit(page, { action: `${BASE}/signin/op2` });
      const back = `${(await second.op.authorize(begun.redirectsTo ?? "")).url}`;
      return () => app.browser.navigate(back);
    },
  };
}

/** Calls `run` once, after the address was marked as verified: an account is added in that moment, so the mark is removed. */
function whenMarked({ adapter }: MemoryAdapter, run: () => Promise<unknown>): Adapter {
  let isFirst = true;
  return {
    ...adapter,
    updateUser: async (user) => {
      const updated = await adapter.updateUser(user);
      if (!isFirst || !(user.emailVerified instanceof Date)) return updated;
      isFirst = false;
      await adapter.linkAccount(LATE);
      await run();
      return updated;
    },
  };
}

function defer() {
  let settle = () => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: () => settle() };
}

/** An adapter that says when it has read the user by address, and holds the answer back. */
function held({ adapter }: MemoryAdapter) {
  const [read, released] = [defer(), defer()];
  const getUserByEmail: Adapter["getUserByEmail"] = async (address) => {
    const user = await adapter.getUserByEmail(address);
    if (user?.emailVerified) {
      read.resolve();
      await released.promise;
    }
    return user;
  };
  return { adapter: { ...adapter, getUserByEmail }, read: read.promise, release: released.resolve };
}

const seeded = () => createMemoryAdapter({ seed: { users: [ROW] } });

function expectPlanters(memory: MemoryAdapter) {
  const { users, accounts, sessions } = memory.snapshot();
  expect(users).toMatchObject([{ id: ROW.id, emailVerified: null }]);
  expect(accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(["late"]);
  expect(sessions).toEqual([]);
}

describe("a link that is opened during a hand-over that is undone", () => {
  it("leaves no session when it was completed before the mark is removed", async () => {
    const memory = seeded();
    const other = start(memory);
    const first = start(
      memory,
      whenMarked(memory, () => other.open()),
    );
    await first.ask();
    await other.ask();
    expect((await first.open()).redirectsTo).toBe(PAGE);
    expect(await other.session()).toBeNull();
    expectPlanters(memory);
  });

  it("does not set the mark again when it was read before and is completed after, and stays usable", async () => {
    const memory = seeded();
    const [asked, answered] = [defer(), defer()];
    const other = start(memory, memory.adapter, async ({ account, email }) => {
      if (account?.type !== "email" || email !== undefined) return true;
      asked.resolve();
      await answered.promise;
      return true;
    });
    let opening: Promise<unknown> = Promise.resolve();
    const first = start(
      memory,
      whenMarked(memory, async () => {
        opening = other.open().then(({ redirectsTo }) => redirectsTo);
        await asked.promise;
      }),
    );
    await first.ask();
    await other.ask();
    expect((await first.open()).redirectsTo).toBe(PAGE);
    answered.resolve();
    expect(await opening).toContain("error=Verification");
    expect(await other.session()).toBeNull();
    expectPlanters(memory);
    expect((await other.open()).redirectsTo).toBe(PAGE);
    expectPlanters(memory);
  });

  it("ends no session of the owner when it fails, other than those that the mark opened", async () => {
    const memory = seeded();
    const other = start(memory);
    const marked = whenMarked(memory, () => other.open());
    let looks = 0;
    const listAccountsByUserId: Adapter["listAccountsByUserId"] = (userId) => {
      looks++;
      if (looks === 3) throw new Error("down");
      return memory.adapter.listAccountsByUserId(userId);
    };
    const first = start(memory, { ...marked, listAccountsByUserId });
    await first.ask();
    await other.ask();
    expect((await first.open()).redirectsTo).toContain("error=");
    expect(await other.session()).toBeNull();
    expectPlanters(memory);
  });
});

describe("an account that is linked by its address during a hand-over that is undone", () => {
  it("is not linked to the user, when the mark was read before it was removed", async () => {
    const memory = seeded();
    const slow = held(memory);
    const other = start(memory, slow.adapter);
    const signIn = await other.beginOp();
    let opening: Promise<unknown> = Promise.resolve();
    const first = start(
      memory,
      whenMarked(memory, async () => {
        opening = signIn().then(({ redirectsTo }) => redirectsTo);
        await slow.read;
      }),
    );
    await first.ask();
    expect((await first.open()).redirectsTo).toBe(PAGE);
    slow.release();
    expect(await opening).toContain("error=OAuthAccountNotLinked");
    expectPlanters(memory);
  });
});

describe("an account that is linked by its address while the database fails", () => {
  it.each([true, false])(
    "is removed if the user cannot be read again, and linked by the next try (lost answer: %s)",
    async (isLost) => {
      const memory = createMemoryAdapter({ seed: { users: [{ ...ROW, emailVerified: new Date(1e12) }] } });
      const app = start(memory);
      const accounts = () => memory.snapshot().accounts.map(({ userId }) => userId);
      const signIn = await app.beginOp();
      const fault = { method: "getUser", throws: new Error("down"), when: isLost ? "after" : "before" } as const;
      memory.fail(fault);
      expect((await signIn()).redirectsTo).toContain("error=Configuration");
      memory.heal();
      expect([accounts(), app.eventNames()]).toEqual([[], []]);
      await (await app.beginOp())();
      expect([accounts(), app.eventNames()]).toEqual([[ROW.id], ["linkAccount", "signIn"]]);
    },
  );
});

describe("an invited user to whom an account is added before the mark is set", () => {
  it("is never marked as verified", async () => {
    const memory = seeded();
    const marks: unknown[] = [];
    let isFirst = true;
    const adapter: Adapter = {
      ...memory.adapter,
      deleteSessionsByUserId: async (userId) => {
        if (isFirst) await memory.adapter.linkAccount(LATE);
        isFirst = false;
        await memory.adapter.deleteSessionsByUserId(userId);
      },
      updateUser: (user) => {
        marks.push(user.emailVerified);
        return memory.adapter.updateUser(user);
      },
    };
    const app = start(memory, adapter);
    await app.ask();
    expect((await app.open()).redirectsTo).toBe(PAGE);
    expect(marks).toEqual([]);
    expectPlanters(memory);
  });
});
