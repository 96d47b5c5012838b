import { memoryStore } from "@cardea/core/adapters";
import { sessions } from "@cardea/sessions";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { EMAIL, OTHER, PASSWORD, startApp } from "../test/test-app.ts";

const isLong = process.env.CARDEA_TEST_LONG === "1";

interface Fault {
  /** The number of the call that fails, of all that are made since it was set; 0: none. */
  at: number;
  /** The names of the calls since then. */
  seen: string[];
}

function failing<T extends object>(inner: T, fault: Fault): T {
  return new Proxy(inner, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...args: unknown[]) => {
        if (fault.at > 0) fault.seen.push(String(name));
        return fault.at > 0 && fault.seen.length === fault.at
          ? Promise.reject(new Error("away"))
          : Reflect.apply(method, target, args);
      };
    },
  });
}

/** An application whose n-th call of the database or the store fails while a password is set. */
async function startFaulty(strategy: "jwt" | "database", at: number) {
  const fault: Fault = { at: 0, seen: [] };
  const { store: _own, ...adapter } = createMemoryAdapter().adapter;
  const store = failing(memoryStore({ instances: 1 }), fault);
  const extensions = [sessions({ revocation: { check: "each" } })];
  const app = startApp({ strategy, config: { adapter: failing(adapter, fault), store, extensions } });
  const [owner, thief] = [app.open(), app.open()];
  await app.register(owner);
  await app.signIn(thief, EMAIL, PASSWORD);
  /** Only the form itself is sent while a call fails. */
  const during = async (send: () => Promise<unknown>) => {
    fault.at = at;
    await send().catch(() => undefined);
    fault.at = 0;
    return fault.seen;
  };
  const mayEnter = async (password: string) => {
    const browser = app.open();
    await app.signIn(browser, EMAIL, password);
    return (await app.userOf(browser)) !== null;
  };
  return { ...app, owner, thief, during, mayEnter };
}

async function setPassword(strategy: "jwt" | "database", how: string, at: number) {
  const app = await startFaulty(strategy, at);
  const browser = how === "reset" ? app.open() : app.owner;
  if (how === "reset") {
    await app.askReset(browser);
    await app.useLink(browser);
  }
  const send = () =>
    how === "reset" ? app.choose(browser, OTHER) : app.change(browser, { current: PASSWORD, password: OTHER });
  return { ...app, send, calls: await app.during(send) };
}

describe.each(isLong ? (["jwt", "database"] as const) : (["jwt"] as const))("an outage at any call, %s", (strategy) => {
  it.each(["reset", "change"])(
    "who knew the former password has no session once it does not count (%s)",
    async (how) => {
      const { calls } = await setPassword(strategy, how, Number.POSITIVE_INFINITY);
      const stored = calls.indexOf("updateCredential") + 1;
      expect([stored > 10, calls.length > stored + 5]).toEqual([true, true]);
      const faults = isLong ? calls.map((_, n) => n + 1) : [stored, stored + 1].slice(how === "reset" ? 0 : 1);
      for (const at of faults) {
        const app = await setPassword(strategy, how, at);
        if (at <= stored) await app.send();
        expect([at, await app.userOf(app.thief)]).toEqual([at, null]);
        expect([await app.mayEnter(PASSWORD), await app.mayEnter(OTHER)]).toEqual([false, true]);
      }
    },
  );
});

describe("an outage while a registration is completed", () => {
  it.each(["before", "after"] as const)("leaves one user with the chosen password (%s each call)", async (when) => {
    for (let call = 1; call <= 6; call++) {
      const memory = createMemoryAdapter({ keepIds: true });
      const created: unknown[] = [];
      const events = { createUser: (message: unknown) => void created.push(message) };
      const app = startApp({ config: { adapter: memory.adapter, events } });
      const browser = app.open();
      await app.beginRegister(browser);
      memory.fail({ throws: new Error("down"), when, call });
      await app.useLink(browser).catch(() => undefined);
      memory.heal();
      if ((await app.userOf(browser)) === null) await app.useLink(browser);
      expect([call, await app.userOf(browser), memory.snapshot().users.length]).toEqual([call, EMAIL, 1]);
      const other = app.open();
      await app.signIn(other, EMAIL, PASSWORD);
      expect([call, await app.userOf(other), created.length]).toEqual([call, EMAIL, 1]);
    }
  });
});
