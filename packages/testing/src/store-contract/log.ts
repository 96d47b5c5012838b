import type { StoreEntries, StoreLog } from "@cardea/core/adapters";
import { race } from "../adapter-contract/check.ts";
import { hostileTexts, unicode, unique } from "../adapter-contract/samples.ts";
import { type StoreContractTest, storeTest } from "./contract-test.ts";

const minute = { ttl: 60 } as const;

/** The name of a log that no other test uses. */
const newName = (): string => `cardea:contract:${unique("log")}`;

/** Every entry of a log. */
async function allOf(log: StoreLog, name: string): Promise<readonly string[]> {
  return (await log.since(name, null)).entries;
}

/** Several processes append and read. */
export const logTests: readonly StoreContractTest[] = [
  storeTest("starts with an empty log, without a generation", ["log"], async ({ store: { log } }, check) => {
    const name = newName();
    const { at, ...rest } = await log.since(name, null);
    check.equal(rest, { generation: "", entries: [], complete: true });
    check.equal(await log.since(name, at), { at, ...rest });
  }),
  storeTest("reads entries in order, each once", ["log"], async ({ store, other }, check) => {
    const [name, log] = [newName(), other.log ?? store.log];
    const empty = await store.log.since(name, null);
    const position = await store.log.append(name, "one", minute);
    const first = await log.since(name, empty.at);
    check.equal({ ...first, at: "", generation: "" }, { at: "", generation: "", entries: ["one"], complete: true });
    check.equal(first.generation === "", false);
    await log.append(name, "two", minute);
    await store.log.append(name, "three", minute);
    for (const after of [first.at, position]) {
      const next = await store.log.since(name, after);
      check.equal(
        { ...next, at: "" },
        { at: "", generation: first.generation, entries: ["two", "three"], complete: true },
      );
      check.equal(await log.since(name, next.at), { ...next, entries: [] });
    }
    check.equal(await allOf(log, name), ["one", "two", "three"]);
  }),
  storeTest("reads a log in pages, each entry once", ["log"], async ({ store, other }, check) => {
    const [name, log] = [newName(), other.log ?? store.log];
    const written = Array.from({ length: 7 }, (_, n) => `entry ${n}`);
    for (const entry of written) await log.append(name, entry, minute);
    const pages: unknown[] = [];
    let at: string | null = null;
    for (let more = true; more && pages.length < 10; ) {
      const page: StoreEntries = await store.log.since(name, at, { limit: 3 });
      pages.push(page.entries, page.complete);
      at = page.at;
      more = page.more === true;
    }
    check.equal(pages, [written.slice(0, 3), true, written.slice(3, 6), true, written.slice(6), true]);
    await log.append(name, "later", minute);
    const { entries, complete, more = false } = await store.log.since(name, at, { limit: 1 });
    check.equal({ entries, complete, more }, { entries: ["later"], complete: true, more: false });
    // As many as the limit, and none after them.
    const { entries: all, more: others = false } = await store.log.since(name, null, { limit: 8 });
    check.equal([all.length, others], [8, false]);
  }),
  storeTest("stores every text unchanged, and keeps logs separate", ["log"], async ({ store: { log } }, check) => {
    const [name, otherName] = [newName(), newName()];
    const texts = ["", unicode, "x".repeat(20_000), ...hostileTexts];
    for (const text of texts) await log.append(name, text, minute);
    await log.append(otherName, "other", minute);
    check.equal(await allOf(log, name), texts);
    check.equal(await allOf(log, otherName), ["other"]);
    check.equal(await allOf(log, name.toUpperCase()), []);
    const generations = await Promise.all([name, otherName].map((one) => log.since(one, null)));
    check.equal(new Set(generations.map(({ generation }) => generation)).size, 2);
  }),
  storeTest("sets the keys of an entry atomically with the entry", ["log"], async ({ store, other }, check) => {
    const name = newName();
    const key = (n: number) => `${name}:Key ${n}`;
    await store.set(key(0), "before", { ttl: null });
    let at: string | null = null;
    let watching = true;
    const torn: string[] = [];
    const watch = async () => {
      while (watching) {
        const found: Awaited<ReturnType<StoreLog["since"]>> = await store.log.since(name, at);
        at = found.at;
        for (const n of found.entries.map(Number)) if ((await store.get(key(n))) !== `${n}`) torn.push(`entry ${n}`);
        const last = Number((await allOf(store.log, name)).at(-1) ?? -1);
        const next = await store.get(key(last + 1));
        if (next === null || next === "before") continue;
        if (!(await allOf(store.log, name)).includes(`${last + 1}`)) torn.push(`key ${last + 1}`);
      }
    };
    const watched = watch();
    for (let n = 0; n < 15; n++) {
      const keys = { [key(n)]: `${n}`, [`${key(n)}:second`]: unicode };
      await (other.log ?? store.log).append(name, `${n}`, { ttl: 60, keys });
    }
    watching = false;
    await watched;
    check.equal(torn, []);
    check.equal([await store.get(key(0)), await store.get(`${key(14)}:second`)], ["0", unicode]);
  }),
  storeTest(
    "returns all concurrent appends, in the same order for every reader",
    ["log"],
    async ({ store, other }, check) => {
      const name = newName();
      const logs = [store.log, other.log ?? store.log];
      const read: string[] = [];
      let at: string | null = null;
      let appending = true;
      const follow = async () => {
        for (let last = false; !last; ) {
          last = !appending;
          const found: Awaited<ReturnType<StoreLog["since"]>> = await store.log.since(name, at);
          check.equal(found.complete, true);
          at = found.at;
          read.push(...found.entries);
        }
      };
      const following = follow();
      const { won, refused } = await race(30, (n) => (logs[n % 2] ?? store.log).append(name, `${n}`, minute));
      appending = false;
      await following;
      check.equal({ refused, positions: new Set(won).size }, { refused: 0, positions: 30 });
      check.equal(
        [...read].map(Number).sort((a, b) => a - b),
        Array.from({ length: 30 }, (_, n) => n),
      );
      check.equal(await allOf(store.log, name), read);
    },
  ),
];

/** Expiry of entries. */
export const logLifeTests: readonly StoreContractTest[] = [
  storeTest("keeps an entry and its keys until they expire", ["log", "advance"], async ({ store, advance }, check) => {
    const name = newName();
    await store.log.append(name, "one", { ttl: 1000, keys: { [`${name}:key`]: "a" } });
    await advance(900);
    await store.log.append(name, "two", { ttl: 1000 });
    check.equal([await allOf(store.log, name), await store.get(`${name}:key`)], [["one", "two"], "a"]);
    await advance(100);
    check.equal(await store.get(`${name}:key`), null);
    check.equal((await allOf(store.log, name)).includes("two"), true);
  }),
  storeTest("drops expired entries", ["log", "advance"], async ({ store: { log }, advance }, check) => {
    const name = newName();
    for (const entry of ["one", "two", "three"]) await log.append(name, entry, { ttl: 1000 });
    const before = await log.since(name, null);
    await advance(2000);
    let appended = 0;
    while (appended < 300 && (await allOf(log, name)).some((entry) => before.entries.includes(entry))) {
      appended++;
      await log.append(name, "later", { ttl: 1000 });
    }
    check.equal(appended < 300, true);
    const after = await log.since(name, before.at);
    // Whether or not the reader was told that entries are missing, it read every entry that has not expired.
    check.equal(after.entries.filter((entry) => entry === "later").length, appended);
  }),
];
