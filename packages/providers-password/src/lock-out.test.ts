import { attempts, attemptsOf } from "@cardea/attempts";
import { type Attempt, defineExtension } from "@cardea/extend";
import { describe, expect, it } from "vitest";
import { EMAIL, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";

const INSIDE = `${ORIGIN}/inside`;

describe("a stranger who knows the address", () => {
  it("does not keep the owner from resetting the password by registering it", async () => {
    const { open, register, beginRegister, askReset, mails } = startApp();
    await register(open());
    mails.length = 0;
    for (let n = 0; n < 6; n++) await beginRegister(open(), EMAIL, OTHER);
    expect(mails.map(({ kind }) => kind)).not.toContain("reset");
    await askReset(open());
    expect(mails.at(-1)).toMatchObject({ kind: "reset", to: EMAIL });
  });

  it("takes nothing from the limits of the owner's links by registering it", async () => {
    const asked: Attempt[] = [];
    const probe = defineExtension({
      id: "probe",
      attempt: async (attempt) => {
        asked.push(attempt);
        return { allow: true };
      },
    });
    const { open, beginRegister, askReset } = startApp({ config: { extensions: [probe] } });
    await beginRegister(open(), EMAIL, OTHER);
    await askReset(open());
    expect(asked.map(({ action, identifier }) => [action, identifier])).toEqual([
      ["register", EMAIL],
      ["reset", EMAIL],
    ]);
  });

  it("does not use up the owner's messages through an address that resembles it", async () => {
    const [owner, alike] = ["jessica@example.com", "jesica@example.com"];
    const { open, register, beginRegister, askReset, mails } = startApp({ config: { extensions: [attempts()] } });
    for (let n = 0; n < 6; n++) await beginRegister(open(), alike, OTHER);
    await register(open(), owner, PASSWORD);
    expect(mails.at(-1)).toMatchObject({ kind: "confirm-address", to: owner });
    for (let n = 0; n < 6; n++) await askReset(open(), alike);
    mails.length = 0;
    for (let n = 0; n < 4; n++) await askReset(open(), owner);
    expect(mails.map(({ kind, to }) => [kind, to])).toEqual(Array.from({ length: 3 }, () => ["reset", owner]));
  });

  it("registers an address five times in ten minutes", async () => {
    const { open, beginRegister, mails } = startApp({ config: { extensions: [attempts()] } });
    for (let n = 0; n < 7; n++) await beginRegister(open(), EMAIL, OTHER);
    expect(mails).toHaveLength(5);
  });

  it("does not lock the owner out of a known device with a hundred wrong passwords, and unlock() opens the others", async () => {
    const limited = attempts({ limits: { signin: "1000/1m/account" } });
    const { auth, open, register, signIn, store } = startApp({ config: { extensions: [limited] } });
    await register(open());
    const [owner, stranger] = [open(), open()];
    expect((await signIn(owner, EMAIL, PASSWORD)).redirectsTo).toBe(INSIDE);
    const { swap } = store;
    // The second number of an entry is that of failures in a row: one wrong password counts as a hundred.
    store.swap = (key, before, after, o) =>
      swap.call(store, key, before, after?.replace(/(\["[^"]*",)1,/, "$1100,") ?? null, o);
    await signIn(stranger, EMAIL, OTHER);
    store.swap = swap;
    expect((await signIn(stranger, EMAIL, PASSWORD)).redirectsTo).toContain("too_many_attempts");
    expect((await signIn(owner, EMAIL, PASSWORD)).redirectsTo).toBe(INSIDE);
    await attemptsOf(auth).unlock(EMAIL);
    expect((await signIn(open(), EMAIL, PASSWORD)).redirectsTo).toBe(INSIDE);
  });

  it("is counted by user where there is no address to count by", async () => {
    const { open, memory, register, change, store } = startApp({ config: { extensions: [attempts()] } });
    const browser = open();
    await register(browser);
    const [user] = memory.snapshot().users;
    await memory.adapter.updateUser?.({ id: user?.id ?? "", email: "" });
    const counted: string[] = [];
    const { add } = store;
    store.add = async (key, by, o) => {
      counted.push(key);
      return add.call(store, key, by, o);
    };
    await change(browser, { current: OTHER, password: "walls of tall green bamboo" });
    expect(counted.filter((key) => key.startsWith("cardea:password:"))).toHaveLength(1);
  });
});
