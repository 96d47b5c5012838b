import { describe, expect, it, vi } from "vitest";
import type { FlowContext } from "../model/context.ts";
import { memoryStore } from "../store/memory-store.ts";
import { rememberReplaced, wasReplaced } from "./replaced-token.ts";

/** What the two functions read of a context. */
function contextOf({
  store = memoryStore({ instances: 1 }),
  now = 1000,
}: {
  store?: object | undefined;
  now?: number;
} = {}) {
  const errors: unknown[] = [];
  const context = { config: { store }, now: () => now, logger: { error: (error: unknown) => errors.push(error) } };
  return { errors, context: context as unknown as FlowContext };
}

/** The same module in another process. */
async function otherProcess() {
  vi.resetModules();
  Reflect.deleteProperty(globalThis, Symbol.for("cardea.replaced-sessions"));
  return import("./replaced-token.ts");
}

const away = { get: () => Promise.reject(new Error("away")), set: () => Promise.reject(new Error("away")) };
const claims = (jti: string | undefined, userId = "7") => ({ kind: "claims", userId, jti, facts: undefined }) as const;

describe("wasReplaced()", () => {
  it("recognizes a token for 60 seconds, with and without a store", async () => {
    for (const store of [undefined, memoryStore({ instances: 1 })]) {
      const found = claims(crypto.randomUUID());
      const { context } = contextOf({ store });
      expect(await wasReplaced(context, found)).toBe(false);
      await rememberReplaced(context, found);
      expect(await wasReplaced(context, found)).toBe(true);
      expect(await wasReplaced(contextOf({ now: 1059 }).context, found)).toBe(true);
      expect(await wasReplaced(contextOf({ now: 1060 }).context, found)).toBe(false);
    }
  });

  it("recognizes a token that another process replaced", async () => {
    const { context } = contextOf();
    const found = { kind: "record", userId: "7", token: crypto.randomUUID() } as const;
    await rememberReplaced(context, found);
    const other = await otherProcess();
    expect(await other.wasReplaced(context, found)).toBe(true);
    expect(await other.wasReplaced(contextOf().context, found)).toBe(false);
  });

  it("tells claims apart by `jti`, or by their user without one", async () => {
    const { context } = contextOf();
    await rememberReplaced(context, claims("a"));
    await rememberReplaced(context, claims(undefined, "8"));
    const all = [claims("a", "9"), claims("b"), claims(undefined, "8"), claims(undefined, "9")];
    const answers = all.map((one) => wasReplaced(context, one));
    expect(await Promise.all(answers)).toEqual([true, false, true, false]);
  });

  it("keeps cookies while the store is unavailable", async () => {
    const { context, errors } = contextOf({ store: away });
    await rememberReplaced(context, claims("known"));
    expect(errors).toHaveLength(1);
    expect(await wasReplaced(context, claims("unknown"))).toBe(true);
  });
});
