/** Ways in that are added to a user: who may add one, what it proves, and what it must not become. */
import { createAuthenticator, createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { secondProvider, signInByApplication } from "../harness/database-app.ts";
import { COOKIE, expectRefused, installClock } from "../harness/harness.ts";
import { type PasskeyCase, type PasskeyCaseOptions, setUpPasskeys } from "../harness/passkey-app.ts";

const VICTIM = { sub: "victim", name: "Victim", email: "victim@example.com", email_verified: true };
const THIEF = { sub: "thief", name: "Thief", email: "thief@example.com", email_verified: true };

function start(options: PasskeyCaseOptions = {}) {
  const second = secondProvider();
  const app = setUpPasskeys({
    providers: [second.provider],
    routes: second.routes,
    alsoTo: [second.op.issuer],
    ...options,
  });
  app.op.user = VICTIM;
  second.op.user = THIEF;
  return { app, second };
}

async function link(app: PasskeyCase, id = "op2") {
  return signInByApplication(app, id);
}

const addPasskey = async (app: PasskeyCase) => {
  const asked = await app.ask("action=register");
  if (asked.status !== 200) return asked.status;
  const { options } = (await asked.json()) as { options: Parameters<PasskeyCase["authenticator"]["create"]>[0] };
  const answer = await app.answer("register", await createAuthenticator().create(options));
  return JSON.stringify(await answer.json());
};

const accountsOf = (memory: MemoryAdapter) => memory.snapshot().accounts.map(({ provider }) => provider);

describe.each(["jwt", "database"] as const)("a way in that is added, with %s sessions", (strategy) => {
  it("asks for the same recent sign-in as a passkey when it is an account of a provider", async () => {
    const clock = installClock();
    const { app } = start({ strategy, passkey: { maxSignInAge: 300 } });
    await app.signInWithOp();
    clock.advance({ seconds: 301 });
    expect(await addPasskey(app)).toBe(403);
    const linked = await link(app);
    expect(linked.url).toContain("error=SessionRequired");
    expect(accountsOf(app.memory)).toEqual(["op"]);
    expect(await addPasskey(app)).toBe(403);
    await app.signInWithOp();
    await link(app);
    expect(accountsOf(app.memory)).toEqual(["op", "op2"]);
  });

  it("proves itself only: the sign-in before it stays the last one", async () => {
    const clock = installClock();
    const { app } = start({ strategy, passkey: { maxSignInAge: 300 } });
    await app.signInWithOp();
    clock.advance({ seconds: 200 });
    await link(app);
    expect(accountsOf(app.memory)).toEqual(["op", "op2"]);
    clock.advance({ seconds: 50 });
    expect(await addPasskey(app)).toContain("/dash");
    clock.advance({ seconds: 51 });
    expect(await addPasskey(app)).toBe(403);
    await link(app);
    expect(await addPasskey(app), "signing in with the account that was linked counts").toContain("/dash");
  });

  it("is refused beyond a hundred of one user", async () => {
    const { app } = start({ strategy });
    await app.signInWithOp();
    const userId = app.memory.snapshot().users[0]?.id ?? "";
    for (let n = 0; n < 99; n++) {
      await app.memory.adapter.linkAccount({ userId, provider: "x", providerAccountId: `${n}`, type: "oauth" });
    }
    expect((await link(app)).url).toContain("error=OAuthAccountNotLinked");
    expect(app.memory.snapshot().accounts).toHaveLength(100);
    expect(await addPasskey(app)).toContain("error=OAuthAccountNotLinked");
    expect(app.memory.snapshot().authenticators).toEqual([]);
  });

  it("marks the address of its user as proven when the provider vouches for this very address, once", async () => {
    const { app } = start({ strategy });
    app.op.user = { ...VICTIM, email_verified: false };
    await app.signInWithOp();
    await app.signOut();
    app.op.user = { ...VICTIM, email: "other@example.com" };
    await app.signInWithOp();
    expect(app.memory.snapshot().users[0]?.emailVerified).toBeNull();
    for (const visit of [1, 2]) {
      await app.signOut();
      app.op.user = VICTIM;
      await app.signInWithOp();
      expect(app.memory.snapshot().users[0]?.emailVerified, `visit ${visit}`).toBeInstanceOf(Date);
    }
    expect(app.eventNames().filter((name) => name === "updateUser")).toHaveLength(1);
  });
});

describe("a session that ends while a way in is stored", () => {
  it.each(["op2", "passkey"])("leaves nothing behind: %s", async (way) => {
    const memory = createMemoryAdapter();
    const adapter = {
      ...memory.adapter,
      linkAccount: async (account: Parameters<typeof memory.adapter.linkAccount>[0]) => {
        await memory.adapter.linkAccount(account);
        if (account.provider !== "op") await memory.adapter.deleteSessionsByUserId(account.userId);
      },
    };
    const { app } = start({ memory, config: { adapter } });
    await app.signInWithOp();
    if (way === "op2") expect((await link(app)).url).toContain("error=OAuthAccountNotLinked");
    else expect(await addPasskey(app)).toContain("error=OAuthAccountNotLinked");
    expect(accountsOf(memory)).toEqual(["op"]);
    expect(memory.snapshot().authenticators).toEqual([]);
    expect(memory.snapshot().sessions).toEqual([]);
    expect(app.eventNames().filter((name) => name === "linkAccount")).toHaveLength(1);
  });
});

describe.each(["jwt", "database"] as const)("a %s session while an authenticator is stored", (strategy) => {
  /** Adds a passkey, and does something once its authenticator was stored. */
  async function addWhile(happens: (memory: MemoryAdapter) => unknown) {
    const memory = createMemoryAdapter();
    const createAuthenticator: typeof memory.adapter.createAuthenticator = async (row) => {
      const stored = await memory.adapter.createAuthenticator(row);
      await happens(memory);
      return stored;
    };
    const config = { adapter: { ...memory.adapter, createAuthenticator } };
    const { app } = start({ memory, strategy, config, mayFail: true });
    await app.signInWithOp();
    const answer = await app.answer("register", await app.authenticator.create(await app.options("action=register")));
    return { app, answer: JSON.stringify(await answer.json()) };
  }

  it("leaves no passkey that signs in if it ends", async () => {
    const clock = installClock();
    const { app, answer } = await addWhile(({ adapter, snapshot }) => {
      if (strategy === "database") return adapter.deleteSessionsByUserId(snapshot().users[0]?.id ?? "");
      return clock.advance({ days: 31 });
    });
    expect(answer).toContain("error=OAuthAccountNotLinked");
    expect(accountsOf(app.memory)).toEqual(["op"]);
    expect(app.eventNames().filter((name) => name === "linkAccount")).toHaveLength(1);
    expectRefused(await app.authenticate());
    expect(await app.session()).toBeNull();
    expect(app.memory.snapshot().sessions).toEqual([]);
  });

  it("keeps the passkey if it cannot be read", async () => {
    const { app, answer } = await addWhile(({ fail }) =>
      fail({ method: "getSessionAndUser", throws: new Error("down") }),
    );
    expect(answer).toContain("/dash");
    await app.signOut();
    await app.authenticate();
    expect(await app.session()).toMatchObject({ user: { email: VICTIM.email } });
  });
});

describe("a session that outlived its user", () => {
  const alice = { id: "alice", name: "Alice", email: "alice@example.com", emailVerified: null, image: null };

  /** Signs in, deletes the user and comes back with another account, as the user without accounts looks. */
  async function comeBack(adapterOf: (memory: MemoryAdapter) => object) {
    const memory = createMemoryAdapter();
    const { app, second } = start({ strategy: "jwt", memory, config: { adapter: adapterOf(memory) } });
    app.op.user = { sub: "m-1", name: "Mallory", email: "mallory@example.com", email_verified: true };
    await app.signInWithOp();
    await memory.adapter.deleteUser(memory.snapshot().users[0]?.id ?? "");
    const { id } = await memory.adapter.createUser(alice);
    second.op.user = { sub: "m-2", name: "Alice", email: "alice@example.com", email_verified: false };
    const answer = await link(app);
    return { app, memory, id, answer };
  }

  it.each([
    ["users at once", (memory: MemoryAdapter) => memory.adapter],
    [
      "users and accounts one after the other",
      ({ adapter: { createUserWithAccount: _, ...adapter } }: MemoryAdapter) => adapter,
    ],
  ] as const)("is decided as if no one were signed in: %s", async (_name, adapterOf) => {
    const { memory, id, answer } = await comeBack(adapterOf);
    expect(answer.url).toContain("error=OAuthAccountNotLinked");
    expect(memory.snapshot().accounts).toEqual([]);
    expect(memory.snapshot().users.map((user) => user.id)).toEqual([id]);
  });

  it("creates no second user with a taken address where addresses have no unique key", async () => {
    const { memory } = await comeBack(({ adapter }) => ({
      ...adapter,
      createUserWithAccount: undefined,
      createUser: (user: Parameters<typeof adapter.createUser>[0]) => adapter.createUser({ ...user, email: null }),
    }));
    expect(memory.snapshot().users).toHaveLength(1);
  });

  it("may sign in as the owner of a known account", async () => {
    const memory = createMemoryAdapter();
    const { app, second } = start({ strategy: "jwt", memory });
    await link(app);
    await app.signOut();
    await app.signInWithOp();
    const gone = memory.snapshot().users.find(({ email }) => email === VICTIM.email);
    await memory.adapter.deleteUser(gone?.id ?? "");
    await link(app);
    expect(await app.session()).toMatchObject({ user: { email: second.op.user.email } });
  });
});

describe("a user without accounts", () => {
  it("is never taken for an interrupted sign-up, however alike it looks", async () => {
    const memory = createMemoryAdapter();
    const { createUserWithAccount: _, ...adapter } = memory.adapter;
    const alice = { id: "x", name: "Victim", email: VICTIM.email, emailVerified: null, image: null };
    const { app } = start({
      strategy: "jwt",
      memory,
      config: {
        adapter: {
          ...adapter,
          // Alice registers with a password between the look-up and the write.
          createUser: async (user: Parameters<typeof adapter.createUser>[0]) => {
            await adapter.createUser(alice);
            return adapter.createUser(user);
          },
        },
      },
    });
    app.op.user = { ...VICTIM, email_verified: false };
    const answer = await app.signInWithOp();
    expect(answer.url).toContain("error=OAuthAccountNotLinked");
    expect(memory.snapshot().accounts).toEqual([]);
    expect(app.browser.cookies.get(COOKIE.session)).toBeUndefined();
  });
});
