/** A session gets a new token while it is signed out: afterwards there is none, in whatever order the two are carried out. */

import { type Adapter, type AdapterSession, memoryStore } from "@cardea/core/adapters";
import { type ActionSpec, defineExtension } from "@cardea/extend";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, ORIGIN } from "../harness/harness.ts";

type Answer = (deleted: AdapterSession | null) => AdapterSession | null | undefined;

/** What adapters do that are asked to delete what is not there. */
const ADAPTERS: Readonly<Record<string, Answer>> = {
  "returns what it deleted": (deleted) => deleted,
  "returns nothing": () => undefined,
  "throws where there is nothing": (deleted) => {
    if (deleted === null) throw new Error("Record to delete does not exist.");
    return deleted;
  },
};

const prove: ActionSpec = {
  ...{ csrf: "required", segment: "none", answers: "json", head: "skip" },
  run: async (action) => {
    await action.session();
    await action.renewSession({ f: [["otp", 9]] });
    return { kind: "empty", status: 204 };
  },
};

/** Signs out just before the call of this number that the rotation makes to its adapter; undefined where it makes fewer. */
async function race(answer: Answer, at: number) {
  const memory = createMemoryAdapter();
  const { deleteSession } = memory.adapter;
  const told: Adapter = {
    ...memory.adapter,
    deleteSession: async (token) => answer((await deleteSession?.(token)) ?? null),
  };
  const calls: string[] = [];
  let meanwhile: (() => Promise<unknown>) | undefined;
  const watch = ([name, method]: [string, unknown]) => {
    const call = async (...args: unknown[]): Promise<unknown> => {
      const run = meanwhile;
      if (run !== undefined && calls.push(name) - 1 === at) {
        meanwhile = undefined;
        await run();
      }
      return typeof method === "function" ? Reflect.apply(method, told, args) : undefined;
    };
    return [name, call];
  };
  // The same methods, watched.
  const adapter: Adapter = Object.fromEntries(Object.entries(told).map(watch));
  const extension = defineExtension({ id: "proofs", actions: { "POST prove": prove } });
  const config = { adapter, extensions: [extension], store: memoryStore({ instances: 1 }) };
  const c = setUpDatabase({ memory, mayFail: true, config });
  await c.signInWithOp();
  const csrfToken = await c.csrfToken();
  const cookie = c.browser.cookies
    .list()
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
  const post = (action: string) => {
    const headers = { cookie, origin: ORIGIN, "sec-fetch-site": "same-origin" };
    return c.send(`${BASE}/${action}`, { method: "POST", headers, body: new URLSearchParams({ csrfToken }) });
  };
  meanwhile = () => post("signout");
  const renewed = await post("prove");
  const issued = renewed.headers.getSetCookie().filter((one) => /session-token=[^;]/.test(one));
  return { calls, isRaced: meanwhile === undefined, issued, rows: memory.snapshot().sessions };
}

describe.each(Object.keys(ADAPTERS))("a new token during a sign-out, with an adapter that %s", (kind) => {
  it("is no session afterwards, whenever the sign-out comes", async () => {
    const answer = ADAPTERS[kind] ?? (() => undefined);
    const whole = await race(answer, Number.POSITIVE_INFINITY);
    expect([whole.issued.length, whole.rows.length]).toEqual([1, 1]);
    // An adapter that tells nothing leaves one moment, between the last look and the deletion; `sessions()` closes it.
    const last = kind === "returns nothing" ? whole.calls.indexOf("deleteSession") : whole.calls.length;
    expect(last).toBeGreaterThan(2);
    for (let at = 0; at < last; at += 1) {
      const { isRaced, issued, rows, calls } = await race(answer, at);
      expect({ at: calls[at], isRaced, issued, rows }).toEqual({ at: calls[at], isRaced: true, issued: [], rows: [] });
    }
  });
});
