import { expect, it, vi } from "vitest";
import { openPage } from "../test/open-page.ts";
import { stubChannels } from "../test/stub-channels.ts";
import { SessionStore } from "./session-store.ts";

interface Known {
  readonly name: string;
  readonly changes: number;
}

const page = openPage();
let marks = 0;

/** A response of the server that begins, changes or ends a session. */
function setMark(isOver: boolean, isReported = true): void {
  page.setCookie(
    `cardea.session-mark=${isOver ? "; expires=Thu, 01 Jan 1970 00:00:00 GMT" : `m${++marks}`}`,
    isReported,
  );
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Numbers from 0 to below 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed * 7919;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A server that knows one session, and whose answers take some turns of the event loop. */
function openServer(random: () => number) {
  const server: { session: Known | null } = { session: random() < 0.5 ? { name: "Ann", changes: 0 } : null };
  const waiting = new Map<string, Set<AbortSignal>>();
  let travelling = 0;
  let most = 0;
  const wait = async () => {
    for (let turns = Math.floor(random() * 6); turns > 0; turns--) await turn();
  };
  const run = (action: string, body: unknown): unknown => {
    const { session } = server;
    if (action === "csrf") return { csrfToken: "token" };
    if (action === "providers") return [{ id: "credentials", type: "credentials" }];
    if (action === "session") {
      if (body !== undefined && session !== null) server.session = { ...session, changes: session.changes + 1 };
      return server.session;
    }
    const username = action === "signout" || !(body instanceof URLSearchParams) ? null : body.get("username");
    server.session = username === null ? null : { name: username, changes: 0 };
    return { url: "https://app.example.com/" };
  };
  vi.stubGlobal("fetch", async (url: string, { body, signal }: RequestInit = {}) => {
    const [, tab = "", action = ""] = url.split("/");
    const own = waiting.get(tab) ?? new Set();
    waiting.set(tab, own);
    if (signal) own.add(signal);
    most = Math.max(most, [...own].filter(({ aborted }) => !aborted).length);
    travelling++;
    try {
      await wait();
      signal?.throwIfAborted();
      const isChange = body !== undefined && action !== "csrf";
      const text = JSON.stringify(run(action, body));
      await wait();
      signal?.throwIfAborted();
      if (isChange) setMark(server.session === null);
      return new Response(text);
    } finally {
      travelling--;
      if (signal) own.delete(signal);
    }
  });
  const settle = async () => {
    for (let quiet = 0; quiet < 20; quiet++) {
      await turn();
      if (travelling > 0) quiet = 0;
    }
  };
  return { server, wait, settle, most: () => most };
}

/** A tab of the browser, whose provider can be hidden. */
function openTab(basePath: string, session: Known | null | undefined, refetchOnWindowFocus: boolean) {
  const store = new SessionStore<Known>({ basePath }, session);
  const stops: (() => void)[] = [];
  const show = () => {
    if (stops.length === 0) stops.push(store.start(), store.watch({ refetchOnWindowFocus }));
  };
  const hide = () => {
    for (const stop of stops.splice(0)) stop();
  };
  show();
  return { store, show, hide };
}

it.each([true, false])(
  "fetches a session that server code changed, once; reported by the browser: %s",
  async (reported) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const known = globalThis.cookieStore;
    if (!reported) vi.stubGlobal("cookieStore", undefined);
    stubChannels();
    const { server, settle } = openServer(randomOf(1));
    const ask = vi.fn(fetch);
    vi.stubGlobal("fetch", ask);
    server.session = { name: "Ann", changes: 0 };
    setMark(false, reported);
    const tab = openTab("a", structuredClone(server.session), false);
    const look = async () => {
      ask.mockClear();
      vi.advanceTimersByTime(5000);
      await settle();
      return [tab.store.getState().data?.name, ask.mock.calls.length];
    };
    expect(await look()).toEqual(["Ann", 0]);
    server.session = { name: "Bob", changes: 0 };
    setMark(false, reported);
    expect(await look()).toEqual(["Bob", 1]);
    expect(await look()).toEqual(["Bob", 0]);
    server.session = null;
    setMark(true, reported);
    expect(await look()).toEqual([undefined, 1]);
    tab.hide();
    setMark(false, reported);
    expect(await look()).toEqual([undefined, 0]);
    vi.useRealTimers();
    vi.stubGlobal("cookieStore", known);
  },
);

it("agrees with the server in every tab, in whatever order things happen", async () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = randomOf(seed);
    stubChannels();
    const { server, wait, settle, most } = openServer(random);
    const tabs = ["a", "b", "c"].map((name) =>
      openTab(name, random() < 0.3 ? structuredClone(server.session) : undefined, seed % 2 === 0),
    );
    const calls: Promise<unknown>[] = [];
    for (let step = 0; step < 12; step++) {
      const { store, show, hide } = tabs[Math.floor(random() * tabs.length)] ?? openTab("d", null, false);
      const { client } = store;
      const acts = [
        () => calls.push(client.signOut({ redirect: false })),
        () => calls.push(client.signIn("credentials", { username: `User ${step}`, redirect: false })),
        () => calls.push(store.getState().update({ name: "new" })),
        () => calls.push(store.getState().update()),
        () => page.show("visible"),
        () => page.restore(true),
        () => {
          server.session = random() < 0.5 ? null : { name: `Server ${step}`, changes: 0 };
          setMark(server.session === null);
        },
        () => store.take(structuredClone(server.session)),
        hide,
        show,
      ];
      acts[Math.floor(random() * acts.length)]?.();
      await wait();
    }
    for (const { show } of tabs) show();
    await Promise.all(calls);
    await settle();
    const shown = tabs.map(({ store }) => store.getState().data);
    for (const { hide } of tabs) hide();
    expect({ seed, shown, most: most() <= 1 }).toEqual({ seed, shown: tabs.map(() => server.session), most: true });
  }
});
