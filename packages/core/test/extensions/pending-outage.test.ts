/** A store that fails or says nothing while a sign-in waits (docs/extensions.md#outages). */

import { memoryStore } from "@cardea/core/adapters";
import type { Store } from "@cardea/core/types";
import { defineExtension } from "@cardea/extend";
import { createMemoryAdapter } from "@cardea/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BASE, COOKIE, setUp } from "../harness/harness.ts";

const FAULTS = {
  rejects: () => Promise.reject(new Error("OOM command not allowed")),
  hangs: () => new Promise<never>(() => {}),
} as const;
type Fault = keyof typeof FAULTS;

/** A store where one kind of call about pending sign-ins fails, as in a Redis that is full: it reads, and writes nothing. */
function storeWith(fault: Fault, failing: "get" | "set" | "swap") {
  const inner = memoryStore({ instances: 1 });
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const state = { on: false, reached };
  const fails = (name: string, key: string) => {
    const isHit = state.on && name === failing && key.startsWith("cardea:pending:");
    if (isHit) reach();
    return isHit;
  };
  const store: Store = {
    get: (key) => (fails("get", key) ? FAULTS[fault]() : inner.get(key)),
    set: (key, ...rest) => (fails("set", key) ? FAULTS[fault]() : inner.set(key, ...rest)),
    add: (key, ...rest) => inner.add(key, ...rest),
    swap: (key, ...rest) => (fails("swap", key) ? FAULTS[fault]() : inner.swap(key, ...rest)),
  };
  return { store, state };
}

const gate = () =>
  defineExtension({
    id: "gate",
    needs: { store: true },
    actions: {
      "GET gate": {
        ...{ csrf: "none", segment: "none", answers: "json", head: "run" },
        run: async (action) => ({ kind: "json", status: 200, body: (await action.pendingSignIn()) !== null }),
      },
      "POST gate": {
        ...{ csrf: "required", segment: "none", answers: "json", head: "skip" },
        run: async (action, { now }) => {
          const url = await (await action.pendingSignIn())?.complete({ f: [["otp", now()]] });
          return { kind: "json", status: 200, body: { url } };
        },
      },
    },
    admit: ({ facts }) => (facts.f.some(([method]) => method === "otp") ? { admit: true } : { ask: "gate" }),
  });

function start(fault: Fault, failing: "get" | "set" | "swap") {
  const { store, state } = storeWith(fault, failing);
  const { store: _own, ...adapter } = createMemoryAdapter().adapter;
  const c = setUp({ config: { adapter, store, session: { strategy: "jwt" }, extensions: [gate()] }, mayFail: true });
  const isSignedIn = () => c.browser.cookies.list().some(({ name }) => name === COOKIE.session);
  return { c, state, isSignedIn };
}

/** A store has two seconds, other code thirty: ten pass once the call is made. */
async function within<T>(reached: Promise<void>, work: () => Promise<T>): Promise<T | "still waiting"> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const working = work();
  await reached;
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  const late = AbortSignal.timeout(60_000);
  const waiting = new Promise<"still waiting">((resolve) => {
    late.onabort = () => resolve("still waiting");
  });
  return Promise.race([working, waiting]);
}

afterEach(() => void vi.useRealTimers());

describe.each(["rejects", "hangs"] as const)("a store that %s", (fault) => {
  it("when a sign-in is to wait: no one is signed in, and the answer comes soon", async () => {
    const { c, state, isSignedIn } = start(fault, "set");
    state.on = true;
    const answer = await within(state.reached, () => c.signIn({ username: "Ann" }));
    expect(answer).toMatchObject({ redirectsTo: expect.stringContaining("error=Configuration") });
    expect(isSignedIn()).toBe(false);
  });

  it.each([
    ["it is looked up", "get", "GET"],
    ["it is looked up for a proof", "get", "POST"],
    ["it is completed", "swap", "POST"],
  ] as const)("when %s: 503 soon, and the sign-in can be completed afterwards", async (_when, failing, method) => {
    const { c, state, isSignedIn } = start(fault, failing);
    await c.signIn({ username: "Ann" });
    const csrfToken = await c.csrfToken();
    const ask = () => {
      const headers = { accept: "application/json" };
      if (method === "GET") return c.browser.fetch(`${BASE}/gate`, { headers });
      return c.browser.fetch(`${BASE}/gate`, { method, headers, body: new URLSearchParams({ csrfToken }) });
    };
    state.on = true;
    const answer = await within(state.reached, ask);
    state.on = false;
    expect(answer).toMatchObject({ status: 503 });
    expect(isSignedIn()).toBe(false);
    expect(await (await c.browser.fetch(`${BASE}/gate`)).text()).toBe("true");
    await c.post(`${BASE}/gate`, {});
    expect(isSignedIn()).toBe(true);
  });
});
