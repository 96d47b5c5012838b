import type { StoreLog } from "@cardea/core/adapters";
import { memoryStore } from "@cardea/core/adapters";
import { openCounter } from "@cardea/extend";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openEndedStore } from "./ended-store.ts";
import type { Entry } from "./entry.ts";
import { LogFollower } from "./follow-log.ts";
import { KnownEnds } from "./known-ends.ts";

const NOW = 1_800_000_000;
const FRESH = { every: 2_000, stale: 60_000, serve: false };

const end = (id: string): Entry => ({ kind: "end", of: "sid", id, until: NOW + 1000, why: "ended" });
const count = (id: string, value: number): Entry => ({ kind: "count", of: "epoch", id, until: NOW + 1000, value });

/** A log that can be away, hang and be emptied, and several processes that follow it; they have one clock. */
function createFleet() {
  let time = 0;
  let store = memoryStore({ now: () => NOW * 1000 });
  let state: "there" | "away" | "hanging" = "there";
  let reads = 0;
  let left = Infinity;
  const limits: (number | undefined)[] = [];
  const appended: string[] = [];
  let takes: Promise<void> = Promise.resolve();
  const reports: boolean[] = [];
  const current = async (): Promise<Required<typeof store>> => {
    if (state === "away") throw new Error("away");
    if (state === "hanging") await new Promise(() => {});
    return { scope: "process", ...store } as Required<typeof store>;
  };
  const log: StoreLog = {
    append: async (...args) => {
      appended.push(...Object.keys(args[2].keys ?? {}));
      return (await current()).log.append(...args);
    },
    since: async (...args) => {
      reads++;
      if (left-- <= 0) throw new Error("away");
      limits.push(args[2]?.limit);
      await takes;
      return (await current()).log.since(...args);
    },
  };
  const guarded = {
    log,
    get: async (key: string) => (await current()).get(key),
    set: async (...args: Parameters<typeof store.set>) => (await current()).set(...args),
    add: async (...args: Parameters<typeof store.add>) => (await current()).add(...args),
    swap: async (...args: Parameters<typeof store.swap>) => (await current()).swap(...args),
  };
  const epoch = (userId: string) => openCounter(guarded, `epoch of ${userId}`, { ttl: null });
  const parts = { now: () => NOW, digest: async (text: string) => text, store: guarded, epoch };
  const process = () => {
    const known = new KnownEnds();
    const stored = openEndedStore(parts);
    const report = ({ away }: { away: boolean }) => void reports.push(away);
    const follower = new LogFollower({ log, known, now: () => NOW, clock: () => time, write: stored.write, report });
    const write = async (...entries: Entry[]) => {
      for (const entry of entries) known.apply(entry);
      await stored.write(entries);
    };
    return { known, follower, stored, write };
  };
  return {
    process,
    /** Whether the store was away, as it was reported. */
    reports,
    reads: () => reads,
    /** The limits of the reads. */
    limits,
    /** The keys that were written with the log. */
    appended,
    /** From now on so many reads of the log succeed. */
    failAfter: (next: number) => (left = next),
    /** From now on a read of the log ends with this promise. */
    slow: (until: Promise<void>) => (takes = until),
    pass: (milliseconds: number) => (time += milliseconds),
    set: (next: typeof state) => {
      state = next;
    },
    empty: () => {
      store = memoryStore({ now: () => NOW * 1000 });
    },
  };
}

afterEach(() => void vi.useRealTimers());

describe("LogFollower", () => {
  it("rule 2: waits at first, then reads in the background after half of the time, and waits after the whole", async () => {
    const { process, pass, reads } = createFleet();
    const { follower } = process();
    await expect(follower.check(FRESH)).resolves.toBeUndefined();
    pass(999);
    expect([follower.check(FRESH), reads()]).toEqual([undefined, 1]);
    pass(1);
    expect([follower.check(FRESH), reads()]).toEqual([undefined, 2]);
    expect([follower.check(FRESH), reads()]).toEqual([undefined, 2]);
    await follower.sync();
    pass(2_000);
    expect(follower.check(FRESH)).toBeUndefined();
    await follower.sync();
    pass(2_001);
    const waiting = follower.check(FRESH);
    expect(waiting).toBeInstanceOf(Promise);
    await waiting;
    expect(follower.check(FRESH)).toBeUndefined();
  });

  it("learns what another process wrote, within the time", async () => {
    const { process, pass } = createFleet();
    const [a, b] = [process(), process()];
    await b.follower.check(FRESH);
    await a.write(end("s1"), count("ann", 3));
    expect(b.known.why("sid", "s1")).toBeUndefined();
    pass(2_001);
    await b.follower.check(FRESH);
    expect([b.known.why("sid", "s1"), b.known.count("epoch", "ann")]).toEqual(["ended", 3]);
  });

  it.each(["away", "hanging"] as const)("rule 3: store %s: what is known counts until it is stale", async (state) => {
    const { process, pass, set, reports } = createFleet();
    const { follower } = process();
    await follower.check(FRESH);
    set(state);
    pass(2_001);
    vi.useFakeTimers();
    const waiting = Promise.resolve(follower.check(FRESH));
    await vi.advanceTimersByTimeAsync(2_000);
    await waiting;
    vi.useRealTimers();
    pass(57_999);
    await follower.check(FRESH);
    expect(reports).toEqual([true]);
    if (state === "hanging") return;
    pass(1);
    await expect(follower.check(FRESH)).rejects.toThrow("unavailable");
    await expect(Promise.resolve(follower.check({ ...FRESH, serve: true }))).resolves.toBeUndefined();
    set("there");
    pass(1_000);
    await expect(follower.check(FRESH)).resolves.toBeUndefined();
    expect(reports).toEqual([true, false]);
  });

  it("rule 3: a store that is slow is not away: a read waits for it, and knows what has ended", async () => {
    const { process, pass, slow, reports } = createFleet();
    const [a, b] = [process(), process()];
    await b.follower.check(FRESH);
    await a.write(end("s1"));
    vi.useFakeTimers();
    slow(new Promise((resolve) => setTimeout(resolve, 1_999)));
    pass(2_001);
    const waiting = Promise.resolve(b.follower.check(FRESH)).then(() => b.known.why("sid", "s1"));
    await vi.advanceTimersByTimeAsync(1_999);
    vi.useRealTimers();
    expect([await waiting, reports]).toEqual(["ended", []]);
  });

  it("rule 3: no read waits longer than two seconds from the beginning of one, however many there are", async () => {
    const { process, pass, set } = createFleet();
    const { follower } = process();
    await follower.check(FRESH);
    set("hanging");
    vi.useFakeTimers();
    pass(2_001);
    const first = Promise.resolve(follower.check(FRESH));
    pass(1_500);
    await vi.advanceTimersByTimeAsync(1_500);
    const second = Promise.resolve(follower.check(FRESH));
    await vi.advanceTimersByTimeAsync(500);
    await Promise.all([first, second]);
    vi.useRealTimers();
    pass(500);
    expect(follower.check(FRESH)).toBeUndefined();
  });

  it("rule 3: does not wait for a store that was away a moment ago, and asks it no more often than before", async () => {
    const { process, pass, set, reads } = createFleet();
    const { follower } = process();
    await follower.check(FRESH);
    set("away");
    pass(2_001);
    await follower.check(FRESH);
    const before = reads();
    for (let n = 0; n < 100; n++) expect(follower.check(FRESH)).toBeUndefined();
    expect(reads()).toBe(before);
    pass(1_000);
    for (let n = 0; n < 100; n++) expect(follower.check(FRESH)).toBeUndefined();
    expect(reads()).toBe(before + 1);
  });

  it("rule 3: a process that never read the log knows nothing, also where it may serve what it knows", async () => {
    const { process, set } = createFleet();
    set("away");
    const { follower } = process();
    await expect(follower.check(FRESH)).rejects.toThrow("unavailable");
    await expect(follower.check({ ...FRESH, serve: true })).rejects.toThrow("unavailable");
  });

  it("rule 4: keeps what was read when a page fails, and goes on from there", async () => {
    const { process, pass, failAfter, limits } = createFleet();
    const [a, b] = [process(), process()];
    for (let n = 0; n < 2_100; n++) await a.write(end(`s${n}`));
    failAfter(1);
    await expect(b.follower.sync()).rejects.toThrow("away");
    expect([b.known.why("sid", "s999"), b.known.why("sid", "s1000")]).toEqual(["ended", undefined]);
    failAfter(Infinity);
    pass(1_000);
    limits.length = 0;
    await b.follower.sync();
    expect(b.known.why("sid", "s2099")).toBe("ended");
    // A quarter of the page that failed first, then more again.
    expect(limits).toEqual([250, 500, 1000]);
  });

  it("rule 4: asks the store while more than one page is to be read, and no longer", async () => {
    const { process, pass, failAfter } = createFleet();
    const [a, b] = [process(), process()];
    for (let n = 0; n < 3_000; n++) await a.write(end(`s${n}`));
    expect(await b.follower.check(FRESH)).toBe("store");
    expect(await b.follower.check(FRESH)).toBe("store");
    await b.follower.reach();
    await b.follower.sync();
    expect(b.follower.check(FRESH)).toBeUndefined();
    // The store fails meanwhile: nothing is known that would count.
    const c = process();
    failAfter(1);
    expect(await c.follower.check(FRESH)).toBe("store");
    await expect(c.follower.sync()).rejects.toThrow("away");
    expect(c.follower.counts({ ...FRESH, serve: true })).toBe(false);
    await expect(c.follower.check(FRESH)).rejects.toThrow("unavailable");
    pass(2_001);
    failAfter(Infinity);
    await c.follower.sync();
    expect(c.known.why("sid", "s2999")).toBe("ended");
  });

  it("rule 4: reads records of many entries in smaller pages", async () => {
    const { process, limits } = createFleet();
    const [a, b] = [process(), process()];
    for (let n = 0; n < 1_200; n++) await a.write(...Array.from({ length: 5 }, (_, m) => end(`s${n}.${m}`)));
    await b.follower.sync();
    expect(limits).toEqual([1000, 400]);
    expect([...b.known.entries()]).toHaveLength(6_000);
  });

  it("rule 5: processes share the work of writing again, and the known state counts meanwhile", async () => {
    const { process, pass, empty, appended } = createFleet();
    let begun = 0;
    // Each begins at another quarter, as they usually do about.
    const random = vi.spyOn(Math, "random").mockImplementation(() => (begun++ % 4) / 4);
    const fleet = [process(), process(), process(), process()];
    const all = Array.from({ length: 12_000 }, (_, n) => end(`s${n}`));
    await fleet[0]?.write(...all);
    for (const { follower } of fleet) await follower.sync();
    empty();
    appended.length = 0;
    pass(2_001);
    for (const { follower } of fleet) await follower.sync();
    // Confirmed, although most is not written again yet.
    pass(500);
    for (const { follower } of fleet) expect([follower.check(FRESH), follower.isBehind]).toEqual([undefined, true]);
    await vi.waitFor(() => expect(fleet.some(({ follower }) => follower.isBehind)).toBe(false), { timeout: 20_000 });
    const fresh = process();
    await fresh.follower.sync();
    expect([...fresh.known.entries()]).toHaveLength(12_000);
    random.mockRestore();
    // Four times as many if each wrote all of them.
    expect(appended.length).toBeLessThan(3 * 12_000);
  });

  it("rule 5: a store that was emptied is given again what each process knows, and new processes learn it", async () => {
    const { process, pass, empty } = createFleet();
    const [a, b] = [process(), process()];
    await a.write(end("s1"), count("ann", 7));
    await b.follower.check(FRESH);
    empty();
    await a.write(end("s2"));
    pass(2_001);
    await b.follower.check(FRESH);
    await a.follower.sync();
    const c = process();
    await c.follower.check(FRESH);
    for (const { known } of [a, b, c]) {
      expect([known.why("sid", "s1"), known.why("sid", "s2"), known.count("epoch", "ann")]).toEqual([
        "ended",
        "ended",
        7,
      ]);
    }
    expect([await c.stored.why("sid", "s1"), await c.stored.count("epoch", "ann")]).toEqual(["ended", 7]);
  });

  it("rule 5: emptied again before it was read again, nothing is lost", async () => {
    const { process, pass, empty } = createFleet();
    const a = process();
    await a.write(end("s1"));
    await a.follower.check(FRESH);
    for (let n = 0; n < 3; n++) {
      empty();
      pass(2_001);
      await a.follower.check(FRESH);
    }
    empty();
    await a.follower.sync();
    const b = process();
    await b.follower.check(FRESH);
    expect(b.known.why("sid", "s1")).toBe("ended");
  });

  it("what could not be written is written with the next read, before that counts", async () => {
    const { process, pass, set } = createFleet();
    const [a, b] = [process(), process()];
    await Promise.all([a.follower.check(FRESH), b.follower.check(FRESH)]);
    set("away");
    a.known.apply(end("s1"));
    a.follower.keep([end("s1")]);
    expect(a.follower.isBehind).toBe(true);
    await expect(a.follower.sync()).rejects.toThrow("away");
    set("there");
    await a.follower.sync();
    expect(a.follower.isBehind).toBe(false);
    pass(2_001);
    await b.follower.check(FRESH);
    expect(b.known.why("sid", "s1")).toBe("ended");
  });

  it("forgets what no token can outlive", async () => {
    const { process } = createFleet();
    const { known, follower } = process();
    known.apply({ ...end("old"), until: NOW - 1 });
    known.apply({ ...end("new"), until: NOW });
    await follower.sync();
    expect([known.why("sid", "old"), known.why("sid", "new")]).toEqual([undefined, "ended"]);
  });
});

describe("openEndedStore()", () => {
  it("keeps a counter until no token from before is valid, and that of a block for ever", async () => {
    let time = NOW;
    const store = memoryStore({ now: () => time * 1000 });
    const epoch = (userId: string) => openCounter(store, `epoch of ${userId}`, { ttl: null });
    const stored = openEndedStore({ store, epoch, now: () => time, digest: async (text) => text });
    const { value } = await stored.counter("idp", "ann", NOW + 1000).raise();
    await stored.counter("block", "ann", NOW + 1000).raise();
    await stored.write([{ kind: "count", of: "idp", id: "bo", until: NOW + 1000, value: 7 }]);
    time += 999;
    expect([await stored.count("idp", "ann"), await stored.count("idp", "bo")]).toEqual([value, 7]);
    time += 1;
    expect([await stored.count("idp", "ann"), await stored.count("idp", "bo")]).toEqual([0, 0]);
    expect(await stored.count("block", "ann")).toBeGreaterThan(0);
  });
});
