/** Each seam × each way in which an extension can be wrong: one outcome each (docs/extensions.md#laws). */

import { memoryStore, type Store } from "@cardea/core/adapters";
import { authorizeRequest, createConfigResolver } from "@cardea/core/operations";
import { type ActionSpec, defineExtension, type ExtensionSpec } from "@cardea/extend";
import { createMemoryAdapter } from "@cardea/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, COOKIE, installClock, ORIGIN, setUp } from "../harness/harness.ts";

type Seam = "attempt" | "outcome" | "admit" | "checkSession" | "onSession" | "onSignOut" | "observe" | "section";

/** What a hostile extension does in place of an answer. */
const FAULTS: Readonly<Record<string, () => unknown>> = {
  "throws at once": () => {
    throw new Error("hostile");
  },
  "throws something that is not an error": () => {
    throw null;
  },
  rejects: () => Promise.reject(new Error("hostile")),
  hangs: () => new Promise(() => {}),
  "answers null": () => null,
  "answers a number": () => 1,
  "answers a text": () => "valid?",
  "answers an empty object": () => ({}),
  "answers a list": () => [{ allow: true }, { admit: true }],
  "answers a proxy that throws": () =>
    new Proxy(
      {},
      {
        get: (_target, name) => {
          // A promise is asked for this member before anything else.
          if (name === "then") return undefined;
          throw new Error("hostile");
        },
      },
    ),
};

const names = Object.keys(FAULTS);
const failing = names.filter((name) => !name.startsWith("answers") || name.includes("proxy"));

/** An extension that is hostile in one seam, once that is switched on. */
function hostile(seam: Seam, fault: string) {
  const state = { on: true };
  const friendly: Readonly<Record<Seam, unknown>> = {
    attempt: { allow: true },
    outcome: undefined,
    admit: { admit: true },
    checkSession: "valid",
    onSession: undefined,
    onSignOut: undefined,
    observe: undefined,
    section: null,
  };
  const extension = { id: "hostile", [seam]: () => (state.on ? FAULTS[fault]?.() : friendly[seam]) };
  return { state, extension: defineExtension(assumeSpec(extension)) };
}

/** Wrong on purpose. */
function assumeSpec(spec: object): ExtensionSpec {
  return spec as ExtensionSpec;
}

/** Waits for something that takes up to thirty seconds, at once. */
async function passTime<T>(work: Promise<T>): Promise<T> {
  let done = false;
  const settled = work.finally(() => {
    done = true;
  });
  settled.catch(() => undefined);
  while (!done) await vi.advanceTimersByTimeAsync(1_000);
  return settled;
}

afterEach(() => void vi.useRealTimers());
const fakeTimers = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

const cookieNames = (c: { browser: { cookies: { list(): readonly { name: string }[] } } }) =>
  c.browser.cookies.list().map(({ name }) => name);

describe("a hostile extension", () => {
  it.each(names)("attempt %s: the attempt is refused", async (fault) => {
    const { extension } = hostile("attempt", fault);
    const c = setUp({ config: { extensions: [extension] }, mayFail: true });
    fakeTimers();
    const visit = await passTime(c.signIn());
    expect(visit.redirectsTo).toContain("error=CredentialsSignin");
    expect(cookieNames(c)).not.toContain(COOKIE.session);
  });

  it.each(names)("admit %s: no one is signed in", async (fault) => {
    const { extension } = hostile("admit", fault);
    const c = setUp({ config: { extensions: [extension] }, mayFail: true });
    fakeTimers();
    await passTime(c.signIn());
    expect(cookieNames(c)).not.toContain(COOKIE.session);
  });

  it.each(names)("checkSession %s: unavailable, and the cookie stays", async (fault) => {
    const { extension, state } = hostile("checkSession", fault);
    const c = setUp({ config: { extensions: [extension] }, mayFail: true });
    state.on = false;
    await c.signIn();
    state.on = true;
    fakeTimers();
    const read = await passTime(c.browser.fetch(`${BASE}/session`));
    expect(read.status).toBe(503);
    state.on = false;
    expect(await c.session()).not.toBeNull();
  });

  it.each(failing.filter((name) => !name.includes("proxy")))(
    "onSession %s: no one is signed in, and no record stays",
    async (fault) => {
      const { extension } = hostile("onSession", fault);
      const c = setUpDatabase({ config: { extensions: [extension] }, mayFail: true });
      fakeTimers();
      await passTime(c.signInWithOp());
      expect(cookieNames(c)).not.toContain(COOKIE.session);
      expect(c.memory.snapshot().sessions).toEqual([]);
    },
  );

  it.each(failing)("onSignOut %s: the cookie goes, and the sign-out is not said to be complete", async (fault) => {
    const { extension } = hostile("onSignOut", fault);
    const c = setUp({ config: { extensions: [extension] }, mayFail: true });
    await c.signIn();
    const token = await c.csrfToken();
    expect(token).not.toBe("");
    fakeTimers();
    const answer = await passTime(c.post(`${BASE}/signout`, {}, { "x-auth-return-redirect": "1" }));
    expect(await answer.json()).toMatchObject({ complete: false });
    expect(cookieNames(c)).not.toContain(COOKIE.session);
  });

  it.each((["outcome", "observe", "section"] as const).flatMap((seam) => names.map((fault) => [seam, fault] as const)))(
    "%s %s: harms nothing",
    async (seam, fault) => {
      const { extension } = hostile(seam, fault);
      const c = setUp({ config: { extensions: [extension] }, mayFail: true });
      fakeTimers();
      await passTime(c.signIn());
      expect(await c.session()).not.toBeNull();
      expect((await passTime(c.browser.navigate(`${BASE}/signin`))).status).toBe(200);
      expect((await passTime(c.post(`${BASE}/signout`))).status).toBeLessThan(400);
    },
  );

  it.each(names)("an action that %s: an error, and nothing of it is shown", async (fault) => {
    const run = () => FAULTS[fault]?.();
    const spec = { csrf: "none", segment: "none", answers: "page", head: "run", run };
    const extension = defineExtension(assumeSpec({ id: "hostile", actions: { "GET show": spec } }));
    const c = setUp({ config: { extensions: [extension] }, mayFail: true });
    fakeTimers();
    const answer = await passTime(c.browser.navigate(`${BASE}/show`, { follow: "none" }));
    expect(answer.redirectsTo ?? "").toContain("error=Configuration");
  });

  it("cannot undo the refusal of another, whatever it answers and wherever it stands", async () => {
    for (const fault of ["answers an empty object", "answers a text"]) {
      for (const first of [true, false]) {
        const { extension } = hostile("checkSession", fault);
        let ended = false;
        const other = defineExtension({ id: "other", checkSession: () => (ended ? "ended" : "valid") });
        const { state } = { state: { on: false } };
        const quiet = defineExtension({
          ...extension,
          checkSession: (session, t, o) => (state.on ? (extension.checkSession?.(session, t, o) ?? "valid") : "valid"),
        });
        const c = setUp({ config: { extensions: first ? [quiet, other] : [other, quiet] }, mayFail: true });
        await c.signIn();
        state.on = true;
        ended = true;
        expect(await c.session()).toBeNull();
        expect(cookieNames(c)).not.toContain(COOKIE.session);
      }
    }
  });
});

describe("a store that throws", () => {
  const CALLS = ["get", "set", "add", "swap"] as const;
  const recorder = defineExtension({ id: "recorder", needs: { store: true, sessionInfo: true } });

  it.each(["jwt", "database"] as const)(
    "in each call, %s sessions: a sign-in is refused whole or done whole",
    async (strategy) => {
      for (const broken of CALLS) {
        for (const at of ["before", "after"] as const) {
          const inner = memoryStore({ instances: 1 });
          const fail = async () => Promise.reject(new Error("away"));
          const call =
            <A extends unknown[], R>(name: string, work: (...args: A) => Promise<R>) =>
            async (...args: A): Promise<R> => {
              if (name !== broken) return work(...args);
              if (at === "after") await work(...args);
              return fail();
            };
          const store: Store = {
            get: call("get", inner.get),
            set: call("set", inner.set),
            add: call("add", inner.add),
            swap: call("swap", inner.swap),
          };
          const { createSessionInfo: _, ...adapter } = createMemoryAdapter().adapter;
          const c = setUpDatabase({ strategy, mayFail: true, config: { adapter, store, extensions: [recorder] } });
          await c.signInWithOp();
          const isIn = cookieNames(c).includes(COOKIE.session);
          expect([broken, at, (await c.session()) !== null]).toEqual([broken, at, isIn]);
        }
      }
    },
  );
});

describe("records of sessions", () => {
  it.each([
    ["the table of an adapter", true],
    ["the store", false],
  ])("in %s: made at the sign-in, seen at the renewal, listed, changed and removed", async (_where, inTable) => {
    const clock = installClock();
    const { adapter: whole } = createMemoryAdapter();
    const { createSessionInfo: _c, ...without } = whole;
    const adapter = inTable ? whole : without;
    const seen: unknown[] = [];
    const list: ActionSpec = {
      csrf: "none",
      segment: "none",
      answers: "json",
      head: "skip",
      run: async (action, t) => {
        const session = await action.session();
        const infos = await t.listSessions(session?.userId ?? "");
        const [info] = infos;
        seen.push(
          infos.length,
          info?.id === session?.sid,
          info?.provider,
          info?.factors.map(({ m }) => m),
        );
        const patched = await t.updateSession(session?.sid ?? "", { userAgent: "agent", ip: "192.0.2.0" });
        seen.push(patched?.userAgent, await t.updateSession("unknown", { userAgent: "x" }));
        seen.push((info?.seenAt.getTime() ?? 0) / 1000);
        if (action.query.has("forget")) {
          await t.forgetSessions(session?.userId ?? "");
          seen.push((await t.listSessions(session?.userId ?? "")).length);
        }
        return { kind: "empty", status: 204 };
      },
    };
    const extension = defineExtension({ id: "lists", needs: { sessionInfo: true }, actions: { "GET lists": list } });
    const store = memoryStore({ instances: 1 });
    const c = setUpDatabase({ config: { adapter, store, extensions: [extension], session: { updateAge: 60 } } });
    await c.signInWithOp();
    const start = Math.floor(Date.now() / 1000);
    await c.browser.fetch(`${BASE}/lists`);
    expect(seen.splice(0)).toEqual([1, true, "op", ["federated"], "agent", null, start]);
    clock.advance({ seconds: 61 });
    expect(await c.session()).not.toBeNull();
    await c.browser.fetch(`${BASE}/lists?forget=1`);
    expect(seen).toEqual([1, true, "op", ["federated"], "agent", null, start + 61, 0]);
  });
});

describe("session.absolute", () => {
  it.each(["jwt", "database"] as const)(
    "ends a session on its edge however much it is used, %s sessions",
    async (strategy) => {
      const clock = installClock();
      const session = { absolute: 3600, maxAge: 3000, updateAge: 0 };
      const c = setUpDatabase({ strategy, config: { session: { ...session, strategy } } });
      await c.signInWithOp();
      for (const seconds of [2000, 1599]) {
        clock.advance({ seconds });
        expect(await c.session()).not.toBeNull();
      }
      const expires = c.browser.cookies.list().find(({ name }) => name === COOKIE.session);
      expect(expires).toBeDefined();
      clock.advance({ seconds: 1 });
      expect(await c.session()).toBeNull();
    },
  );
});

describe("the guard", () => {
  it("sends a browser to what an extension asks for, and refuses programs", async () => {
    const gate: ActionSpec = {
      csrf: "none",
      segment: "none",
      answers: "json",
      head: "skip",
      run: () => ({ kind: "empty", status: 204 }),
    };
    const asks = defineExtension({ id: "gate", actions: { "GET gate": gate }, checkSession: () => ({ ask: "gate" }) });
    const c = setUp({ config: { extensions: [asks], callbacks: { authorized: ({ auth }) => auth !== null } } });
    await c.signIn();
    const cookie = c.browser.cookies
      .list()
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    const config = await createConfigResolver(c.config, BASE)();
    const guard = (headers: Record<string, string>) =>
      authorizeRequest(
        config,
        new Request(`${ORIGIN}/members?tab=1`, { headers: { cookie, host: "app.example.com", ...headers } }),
      );
    const page = await guard({ "sec-fetch-mode": "navigate" });
    const program = await guard({ "sec-fetch-mode": "cors" });
    if (page.kind !== "deny" || program.kind !== "deny") throw new Error("Someone was let in.");
    expect(page.response.headers.get("location")).toBe(`${ORIGIN}${BASE}/gate?callbackUrl=%2Fmembers%3Ftab%3D1`);
    expect(program.response.status).toBe(401);
    expect([...page.cookies, ...program.cookies]).toEqual([]);
  });
});
