import { memoryStore } from "@cardea/core/adapters";
import type { ResolvedConfig } from "@cardea/core/extension-host";
import type { SessionInfo } from "@cardea/core/extension-kit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sampleSessionInfo } from "../../testing/src/adapter-contract/samples.ts";
import { listInfos, patchInfo, recordSession, removeInfos } from "./session-info.ts";

const DAY = 24 * 60 * 60 * 1000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-01T00:00:00Z") }));
afterEach(() => void vi.useRealTimers());

/** An application without a database, and what it reads from and writes to its store. */
function createApplication() {
  const store = memoryStore();
  const reads: string[] = [];
  const writes = new Map<string, { text: string | null; ttl: number | null }>();
  const watched = {
    ...store,
    get: async (key: string) => {
      reads.push(key);
      return store.get(key);
    },
    swap: async (...[key, expected, text, { ttl }]: Parameters<typeof store.swap>) => {
      writes.set(key, { text, ttl });
      return store.swap(key, expected, text, { ttl });
    },
  };
  // A cast: records need nothing else of a configuration.
  const config = { store: watched } as unknown as ResolvedConfig;
  const list = () => [...writes].findLast(([, { text }]) => text === null || text.startsWith("["));
  return {
    config,
    store,
    reads,
    list,
    /** Records a session that expires after so many days. */
    record: (id: string, days = 30) => recordSession(config, infoOf(id, days)),
    end: (id: string) => patchInfo(config, id, { endedAt: new Date() }),
    listed: async () => (await listInfos(config, "ann")).map(({ id }) => id),
  };
}

const infoOf = (id: string, days: number): SessionInfo =>
  sampleSessionInfo("ann", { id, tokenHash: id, endedAt: null, expires: new Date(Date.now() + days * DAY) });

describe("recordSession()", () => {
  it("gives a user's list the end of the last session", async () => {
    const { record, list } = createApplication();
    await record("one", 30);
    await record("two", 2);
    expect(list()?.[1].ttl).toBe((30 * DAY) / 1000);
  });

  it("removes expired sessions from the list", async () => {
    const { record, list } = createApplication();
    await record("one", 1);
    vi.advanceTimersByTime(2 * DAY);
    await record("two");
    expect(list()?.[1].text).toMatch(/^\["two",\d+\]$/);
  });

  it("drops beyond 500 sessions those that ended, then the oldest", async () => {
    const { record, end, listed } = createApplication();
    for (let n = 0; n < 500; n++) await record(`${n}`);
    await end("7");
    await record("500");
    expect(await listed()).toEqual([...Array(501).keys()].filter((n) => n !== 7).map(String));
    await record("501");
    expect(await listed()).toEqual([...Array(502).keys()].filter((n) => n > 0 && n !== 7).map(String));
  });

  it("keeps what a former version listed, and writes a list that it reads", async () => {
    const { config, store, record, list, listed } = createApplication();
    await record("one");
    const [key = ""] = list() ?? [];
    const ids = (text: string | null) => JSON.parse(text ?? "[]").filter((id: unknown) => typeof id === "string");
    await store.set(key, JSON.stringify(ids(await store.get(key))), { ttl: null });
    expect(await listed()).toEqual(["one"]);
    await record("two");
    expect(ids(await store.get(key))).toEqual(["one", "two"]);
    expect(await listed()).toEqual(["one", "two"]);
    vi.advanceTimersByTime(31 * DAY);
    expect(await store.get(key)).toBeNull();
    expect(await listInfos(config, "ann")).toEqual([]);
  });
});

describe("listInfos()", () => {
  it("reads only active sessions", async () => {
    const { record, end, reads, listed } = createApplication();
    await record("expires", 1);
    await record("ends");
    await record("stays");
    await end("ends");
    vi.advanceTimersByTime(2 * DAY);
    reads.length = 0;
    expect(await listed()).toEqual(["stays"]);
    // The list, and one record.
    expect(reads).toHaveLength(2);
  });

  it("finds a renewed session after its first end", async () => {
    const { config, record, listed } = createApplication();
    await record("one", 30);
    vi.advanceTimersByTime(20 * DAY);
    const { expires, seenAt } = infoOf("one", 30);
    await patchInfo(config, "one", { expires, seenAt });
    vi.advanceTimersByTime(20 * DAY);
    expect(await listed()).toEqual(["one"]);
  });
});

describe("removeInfos()", () => {
  it("deletes the records of ended sessions too", async () => {
    const { config, record, end, list } = createApplication();
    await record("ends");
    await record("stays");
    await end("ends");
    await removeInfos(config, "ann");
    expect(await end("ends")).toBeNull();
    expect(await end("stays")).toBeNull();
    expect(list()?.[1].text).toBeNull();
  });
});
