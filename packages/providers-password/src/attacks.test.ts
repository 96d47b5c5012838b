import { extend, memoryStore } from "@cardea/core/adapters";
import { sessions, sessionsOf } from "@cardea/sessions";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { cheap, EMAIL, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";
import { argon2, argon2id } from "./argon2.ts";
import { wordpress } from "./bcrypt.ts";
import { betterAuthScrypt, passwordsOf, scrypt } from "./index.ts";

const INSIDE = `${ORIGIN}/inside`;

describe("who knows a former password", () => {
  it("is not signed in when it is changed while it is being checked", async () => {
    const { open, register, signIn, userOf, memory } = startApp();
    await register(open());
    const next = await cheap.hash(OTHER);
    const { adapter } = memory;
    const list = adapter.listCredentialsByUserId;
    adapter.listCredentialsByUserId = async (userId) => {
      const found = (await list?.(userId)) ?? [];
      adapter.listCredentialsByUserId = list;
      await adapter.updateCredential?.({ id: "password:user-1", version: 0, secret: next });
      return found;
    };
    const browser = open();
    expect((await signIn(browser, EMAIL, PASSWORD)).redirectsTo).toContain("error=CredentialsSignin");
    expect(await userOf(browser)).toBeNull();
    expect((await signIn(open(), EMAIL, OTHER)).redirectsTo).toBe(INSIDE);
  });

  it("is not signed in when it is removed while it is being checked", async () => {
    const { open, register, signIn, memory } = startApp();
    await register(open());
    const { adapter } = memory;
    const list = adapter.listCredentialsByUserId;
    adapter.listCredentialsByUserId = async (userId) => {
      const found = (await list?.(userId)) ?? [];
      adapter.listCredentialsByUserId = list;
      await adapter.deleteCredential?.("password:user-1");
      return found;
    };
    expect((await signIn(open(), EMAIL, PASSWORD)).redirectsTo).toContain("error=CredentialsSignin");
  });

  it("two sign-ins at the same moment both replace an old hash, and both succeed", async () => {
    const { open, register, signIn, memory } = startApp();
    await register(open());
    const secret = await scrypt({ N: 2 ** 9 }).hash(PASSWORD);
    await memory.adapter.updateCredential?.({ id: "password:user-1", version: 0, secret });
    const answers = await Promise.all(Array.from({ length: 6 }, () => signIn(open(), EMAIL, PASSWORD)));
    expect(answers.map(({ redirectsTo }) => redirectsTo)).toEqual(Array.from({ length: 6 }, () => INSIDE));
  });

  it("cannot use what `legacy` still holds once the user has a password, whatever the address", async () => {
    const former = "old@example.com";
    const hash = await cheap.hash(PASSWORD);
    const legacy = (address: string) => (address === former ? { userId: "user-1", hash } : null);
    const { open, register, signIn, userOf } = startApp({ options: { legacy } });
    await register(open(), EMAIL, OTHER);
    const browser = open();
    expect((await signIn(browser, former, PASSWORD)).redirectsTo).toContain("error=CredentialsSignin");
    expect(await userOf(browser)).toBeNull();
  });
});

describe("a link for a new password", () => {
  it("stays good when someone who knows the former password signs in, and its hash is replaced", async () => {
    const { open, register, signIn, askReset, useLink, memory, mails } = startApp();
    await register(open());
    const secret = await scrypt({ N: 2 ** 9 }).hash(PASSWORD);
    await memory.adapter.updateCredential?.({ id: "password:user-1", version: 0, secret });
    const owner = open();
    await askReset(owner);
    const mail = mails.at(-1);
    await signIn(open(), EMAIL, PASSWORD);
    expect(memory.snapshot().credentials).toMatchObject([{ version: 2 }]);
    expect((await useLink(owner, {}, mail)).redirectsTo).toContain("step=choose");
  });
});

describe("a session that has ended", () => {
  it("adds no password", async () => {
    const { open, memory, askReset, useLink, change, auth } = startApp({
      config: { extensions: [sessions({ revocation: { check: "each" } })] },
    });
    await memory.adapter.createUser?.({ id: "x", email: EMAIL, emailVerified: new Date(0) });
    const thief = open();
    await askReset(thief);
    await useLink(thief);
    const { adapter } = memory;
    const create = adapter.createCredential;
    adapter.createCredential = async (credential) => {
      await sessionsOf(auth).endAll("user-1");
      if (create === undefined) throw new Error("The adapter keeps no credentials.");
      return create(credential);
    };
    expect((await change(thief, { password: OTHER }, "add")).redirectsTo).toContain("error=SessionRequired");
    expect(memory.snapshot().credentials).toEqual([]);
  });

  it("adds no password if the session cannot be read again", async () => {
    const { open, memory, askReset, useLink, change, auth } = startApp({
      strategy: "database",
      config: { extensions: [sessions({ revocation: { check: "each" } })] },
    });
    await memory.adapter.createUser?.({ id: "x", email: EMAIL, emailVerified: new Date(0) });
    const thief = open();
    await askReset(thief);
    await useLink(thief);
    const { adapter } = memory;
    const create = adapter.createCredential;
    adapter.createCredential = async (credential) => {
      await sessionsOf(auth).endAll("user-1");
      const created = await create?.(credential);
      if (created === undefined) throw new Error("The adapter keeps no credentials.");
      memory.fail({ method: "getSessionAndUser", throws: new Error("down") });
      return created;
    };
    await change(thief, { password: OTHER }, "add").catch(() => undefined);
    memory.heal();
    expect(memory.snapshot().credentials).toEqual([]);
  });

  it.each(["change", "choose"] as const)("sets no password while it is hashed (%s)", async (how) => {
    const state = { during: async () => undefined as unknown };
    const hash = {
      ...cheap,
      hash: async (password: string) => {
        await state.during();
        return cheap.hash(password);
      },
    };
    const app = startApp({
      options: { hash },
      config: { extensions: [sessions({ revocation: { check: "each" } })] },
    });
    const thief = app.open();
    await app.register(thief);
    await app.askReset(thief);
    await app.useLink(thief);
    const before = app.memory.snapshot().credentials;
    state.during = () => sessionsOf(app.auth).endAll("user-1");
    const set = () =>
      how === "choose" ? app.choose(thief, OTHER) : app.change(thief, { current: PASSWORD, password: OTHER });
    expect((await set()).redirectsTo).toMatch(/error=(?:SessionRequired|invalid-link)/);
    expect(app.memory.snapshot().credentials).toEqual(before);
  });

  it("is ended by a reset in the database also where nothing checks sessions", async () => {
    const { open, register, askReset, useLink, choose, userOf } = startApp({
      strategy: "database",
      config: { extensions: [sessions({ revocation: { check: "off" } })] },
    });
    const [former, browser] = [open(), open()];
    await register(former);
    await askReset(browser);
    await useLink(browser);
    await choose(browser, OTHER);
    expect(await userOf(former)).toBeNull();
  });
});

describe("an outage", () => {
  it.each(["get", "set", "add", "swap"] as const)(
    "of `%s` of the store does not tell who has an account",
    async (method) => {
      const { open, register, signIn, askReset, store } = startApp();
      await register(open());
      const call = store[method];
      const answersOf = async (email: string) => {
        Reflect.set(store, method, async () => {
          throw new Error("away");
        });
        const asked = [await signIn(open(), email, OTHER), await askReset(open(), email)];
        Reflect.set(store, method, call);
        return asked.map(({ status, redirectsTo }) => [status, redirectsTo]);
      };
      expect(await answersOf("nix@example.com")).toEqual(await answersOf(EMAIL));
    },
  );
});

describe("long passwords", () => {
  it("that may be chosen sign in: length is counted in characters everywhere", async () => {
    const { open, register, signIn, change } = startApp({ options: { rule: { max: 64 } } });
    const emoji = Array.from({ length: 64 }, (_, n) => String.fromCodePoint(0x1f600 + n)).join("");
    const browser = open();
    await register(browser, EMAIL, emoji);
    expect((await signIn(open(), EMAIL, emoji)).redirectsTo).toBe(INSIDE);
    expect((await change(browser, { current: emoji, password: OTHER })).redirectsTo).toContain("step=done");
    expect((await signIn(open(), EMAIL, `${emoji}x`)).redirectsTo).toContain("error=CredentialsSignin");
  });
});

describe("stored hashes", () => {
  const tail = `$${"a".repeat(22)}$${"a".repeat(43)}`;

  it.each([
    ["$scrypt$ln=20,r=8,p=64", scrypt()],
    ["$scrypt$ln=20,r=8,p=1", scrypt()],
    ["$argon2id$v=19$m=1048576,t=1,p=1", argon2()],
    ["$scrypt$ln=13,r=64,p=64,p=65", scrypt()],
    ["$argon2id$v=19$m=1048576,t=999,p=1", argon2()],
    ["$argon2id$v=19$m=1024,t=1,p=999", argon2()],
  ])("that would hold a thread for minutes are no hashes: %s", async (text, format) => {
    expect(format.matches(`${text}${tail}`)).toBe(false);
  });

  it("of dear, but real settings are", () => {
    for (const text of ["$scrypt$ln=17,r=8,p=1", "$scrypt$ln=15,r=8,p=3", "$scrypt$ln=18,r=8,p=2"])
      expect(scrypt().matches(`${text}${tail}`)).toBe(true);
    for (const text of ["m=65536,t=3,p=4", "m=262144,t=4,p=4"])
      expect(argon2().matches(`$argon2id$v=19$${text}${tail}`)).toBe(true);
    expect(() => scrypt({ N: 2 ** 20, p: 64 })).toThrow(/4 GiB in total/);
    expect(() => argon2id({ memoryCost: 2 ** 20, timeCost: 5 })).toThrow(/4 GiB/);
  });

  it("are kept where the format reads a password in another form than it was typed", async () => {
    expect([" x", "x\n", "x"].map((one) => wordpress().isTruncated?.(one))).toEqual([true, true, false]);
    expect(["e\u0301", "\u00e9"].map((one) => betterAuthScrypt().isTruncated?.(one))).toEqual([true, false]);
  });

  it("are not imported for a user who does not exist, whatever keeps them", async () => {
    const {
      createCredential: _1,
      listCredentialsByUserId: _2,
      updateCredential: _3,
      ...others
    } = createMemoryAdapter().adapter;
    const { deleteCredential: _4, ...plain } = others;
    const adapter = extend(plain, { store: memoryStore({ instances: 1 }), durable: true });
    const { auth } = startApp({ config: { adapter } });
    expect(await passwordsOf(auth).import("nix", await cheap.hash(PASSWORD))).toBe("failed");
    expect(await passwordsOf(auth).has("nix")).toBe(false);
  });
});
