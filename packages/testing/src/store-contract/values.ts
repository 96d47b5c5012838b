import { race } from "../adapter-contract/check.ts";
import { hostileTexts, lookAlikes, unicode, unique } from "../adapter-contract/samples.ts";
import { type StoreContractTest, storeTest } from "./contract-test.ts";

const always = { ttl: null } as const;
const minute = { ttl: 60 } as const;

/** A key that no other test uses. */
const newKey = (): string => `cardea:contract:${unique("Key")}`;

/** Text is read as it was written. */
export const valueTests: readonly StoreContractTest[] = [
  storeTest("returns null for a key that was never set", [], async ({ store }, check) => {
    check.equal(await store.get(newKey()), null);
  }),
  storeTest("stores text of any script and length, including empty text", [], async ({ store, other }, check) => {
    for (const text of ["", " ", unicode, "0", "null", "x".repeat(50_000), ...hostileTexts]) {
      const key = newKey();
      check.equal(await store.set(key, text, minute), true);
      check.equal(await other.get(key), text);
    }
  }),
  storeTest("does not confuse keys that look alike", [], async ({ store }, check) => {
    const key = newKey();
    await store.set(key, "a", minute);
    for (const otherKey of [...lookAlikes(key), ...hostileTexts, `log:${key}`, `${key}*`]) {
      check.equal({ otherKey, text: await store.get(otherKey) }, { otherKey, text: null });
    }
    const long = `${key}:${"x".repeat(400)}`;
    await store.set(long, "b", minute);
    check.equal([await store.get(long), await store.get(long.slice(0, -1))], ["b", null]);
  }),
  storeTest("replaces a text, but not with ifAbsent", [], async ({ store, other }, check) => {
    const key = newKey();
    check.equal(await store.set(key, "a", { ...minute, ifAbsent: true }), true);
    check.equal(await other.set(key, "b", { ...minute, ifAbsent: true }), false);
    check.equal(await store.get(key), "a");
    check.equal(await other.set(key, "c", minute), true);
    check.equal(await store.get(key), "c");
  }),
  storeTest("lets one of several concurrent callers set an absent key", [], async ({ store, other }, check) => {
    for (let round = 0; round < 5; round++) {
      const key = newKey();
      const { won, refused } = await race(8, async (n) => {
        const wasSet = await (n % 2 ? other : store).set(key, `${n}`, { ...minute, ifAbsent: true });
        return wasSet ? [`${n}`] : [];
      });
      check.equal({ won: won.flat().length, refused }, { won: 1, refused: 0 });
      check.equal(await store.get(key), won.flat()[0]);
    }
  }),
  storeTest("rejects a ttl that is not a positive number of seconds", [], async ({ store }, check) => {
    const key = newKey();
    for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const { refused } = await race<unknown>(3, (n) => {
        if (n === 0) return store.set(key, "a", { ttl });
        return n === 1 ? store.add(key, 1, { ttl }) : store.swap(key, null, "a", { ttl });
      });
      check.equal({ ttl, refused, text: await store.get(key) }, { ttl, refused: 3, text: null });
    }
  }),
];

/** Compare-and-set. */
export const swapTests: readonly StoreContractTest[] = [
  storeTest("swaps only if the stored text is the expected one", [], async ({ store, other }, check) => {
    const key = newKey();
    check.equal(await store.swap(key, "Text", "x", minute), false);
    check.equal(await store.swap(key, null, "Text", minute), true);
    check.equal(await other.swap(key, null, "x", minute), false);
    for (const expected of [...lookAlikes("Text"), "TEXT"]) {
      check.equal({ expected, swapped: await other.swap(key, expected, "x", minute) }, { expected, swapped: false });
    }
    check.equal(await store.get(key), "Text");
    check.equal(await other.swap(key, "Text", unicode, minute), true);
    check.equal(await store.swap(key, unicode, "", minute), true);
    check.equal(await store.get(key), "");
    check.equal(await store.swap(key, null, "x", minute), false);
  }),
  storeTest("deletes a key by swapping to null", [], async ({ store, other }, check) => {
    const key = newKey();
    await store.set(key, "a", always);
    check.equal(await store.swap(key, "b", null, always), false);
    check.equal(await other.swap(key, "a", null, always), true);
    check.equal(await store.get(key), null);
    check.equal(await store.swap(key, "a", null, always), false);
    check.equal(await store.swap(key, null, null, always), true);
    check.equal(await store.set(key, "c", { ...always, ifAbsent: true }), true);
  }),
  storeTest("lets one of several concurrent callers swap", [], async ({ store, other }, check) => {
    for (let round = 0; round < 5; round++) {
      const key = newKey();
      const before = round % 2 ? "before" : null;
      if (before !== null) await store.set(key, before, minute);
      const { won } = await race(8, (n) => (n % 2 ? other : store).swap(key, before, `after ${n}`, minute));
      check.equal(won.filter(Boolean).length, 1);
      check.equal(await store.get(key), `after ${won.indexOf(true)}`);
    }
  }),
  storeTest("lets one of several concurrent callers take a text", [], async ({ store, other }, check) => {
    for (let round = 0; round < 3; round++) {
      const key = newKey();
      await store.set(key, "once", minute);
      const { won } = await race(20, (n) => (n % 2 ? other : store).swap(key, "once", null, minute));
      check.equal(won.filter(Boolean).length, 1);
    }
  }),
  storeTest("compares with the current text, not an earlier one", [], async ({ store, other }, check) => {
    const key = newKey();
    await store.set(key, "a", minute);
    await store.swap(key, "a", null, minute);
    await other.set(key, "b", minute);
    check.equal(await store.swap(key, "a", "c", minute), false);
    await other.set(key, "a", minute);
    check.equal(await store.swap(key, "a", "c", minute), true);
  }),
];

/** Counters. */
export const counterTests: readonly StoreContractTest[] = [
  storeTest("counts up and down from an absent key", [], async ({ store, other }, check) => {
    const key = newKey();
    check.equal(await store.add(key, 2, always), { value: 2, ttl: null });
    check.equal(await other.add(key, -5, always), { value: -3, ttl: null });
    check.equal(await store.add(key, 0, always), { value: -3, ttl: null });
    check.equal(await other.get(key), "-3");
  }),
  storeTest("counts beyond 32 bits, but not beyond the largest safe integer", [], async ({ store }, check) => {
    const key = newKey();
    await store.add(key, Number.MAX_SAFE_INTEGER - 1, always);
    check.equal(await store.add(key, 1, always), { value: Number.MAX_SAFE_INTEGER, ttl: null });
    const { refused } = await race(1, () => store.add(key, 1, always));
    check.equal({ refused, text: await store.get(key) }, { refused: 1, text: `${Number.MAX_SAFE_INTEGER}` });
  }),
  storeTest("returns a different value to each concurrent caller", [], async ({ store, other }, check) => {
    const key = newKey();
    const { won } = await race(40, (n) => (n % 2 ? other : store).add(key, 1, minute));
    const values = won.map(({ value }) => value).sort((a, b) => a - b);
    check.equal(
      values,
      Array.from({ length: 40 }, (_, n) => n + 1),
    );
    check.equal(await store.get(key), "40");
  }),
  storeTest("adds to a number that was set, and swaps it like text", [], async ({ store, other }, check) => {
    const key = newKey();
    await store.set(key, "41", always);
    check.equal(await store.add(key, 1, always), { value: 42, ttl: null });
    check.equal(await other.swap(key, "41", "0", always), false);
    check.equal(await other.swap(key, "42", "7", always), true);
    check.equal(await store.add(key, 1, always), { value: 8, ttl: null });
    check.equal(await store.swap(key, "8", null, always), true);
    check.equal(await store.add(key, 1, always), { value: 1, ttl: null });
  }),
  storeTest("does not add to text that is not an integer", [], async ({ store }, check) => {
    for (const text of ["", "a", "1.5", "1e3", " 1", "0x10"]) {
      const key = newKey();
      await store.set(key, text, always);
      const { refused } = await race(1, () => store.add(key, 1, always));
      check.equal({ text, refused, after: await store.get(key) }, { text, refused: 1, after: text });
    }
  }),
  storeTest("rejects amounts that are not integers", [], async ({ store }, check) => {
    const key = newKey();
    for (const by of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]) {
      const { refused } = await race(1, () => store.add(key, by, always));
      check.equal({ by, refused, text: await store.get(key) }, { by, refused: 1, text: null });
    }
  }),
];

/** Expiry. Times are far apart, because the store's own clock continues to run. */
export const lifeTests: readonly StoreContractTest[] = [
  storeTest("keeps text until it expires, and no longer", ["advance"], async ({ store, other, advance }, check) => {
    const [key, kept] = [newKey(), newKey()];
    await store.set(key, "a", { ttl: 1000 });
    await store.set(kept, "b", always);
    await advance(900);
    check.equal(await store.get(key), "a");
    await advance(100);
    check.equal([await store.get(key), await other.get(key)], [null, null]);
    await advance(10 * 365 * 86_400);
    check.equal(await store.get(kept), "b");
  }),
  storeTest("treats expired keys as absent", ["advance"], async ({ store, other, advance }, check) => {
    const keys = [newKey(), newKey(), newKey()] as const;
    for (const key of keys) await store.set(key, "7", { ttl: 1000 });
    await advance(1000);
    check.equal(await store.set(keys[0], "b", { ttl: 1000, ifAbsent: true }), true);
    check.equal(await other.swap(keys[1], "7", "b", { ttl: 1000 }), false);
    check.equal(await other.swap(keys[1], null, "b", { ttl: 1000 }), true);
    check.equal((await store.add(keys[2], 1, { ttl: 1000 })).value, 1);
    await advance(900);
    check.equal([await store.get(keys[0]), await store.get(keys[1]), await store.get(keys[2])], ["b", "b", "1"]);
  }),
  storeTest("sets a new ttl with each set and swap", ["advance"], async ({ store, advance }, check) => {
    const [renewed, swapped, freed, bound] = [newKey(), newKey(), newKey(), newKey()];
    for (const key of [renewed, swapped, freed]) await store.set(key, "a", { ttl: 1000 });
    await store.set(bound, "a", always);
    await advance(900);
    await store.set(renewed, "b", { ttl: 1000 });
    await store.swap(swapped, "a", "b", { ttl: 1000 });
    await store.set(freed, "b", always);
    await store.swap(bound, "a", "b", { ttl: 1000 });
    await advance(900);
    for (const key of [renewed, swapped, freed, bound]) check.equal(await store.get(key), "b");
    await advance(100);
    check.equal(await store.get(freed), "b");
    for (const key of [renewed, swapped, bound]) check.equal(await store.get(key), null);
  }),
  storeTest("keeps the ttl of a counter's first call", ["advance"], async ({ store, other, advance }, check) => {
    const key = newKey();
    // A request to a busy server takes seconds.
    const isUpTo = (ttl: number | null, most: number) => ttl !== null && ttl > most * 0.75 && ttl <= most;
    const first = await store.add(key, 1, { ttl: 1000 });
    check.equal({ ...first, ttl: isUpTo(first.ttl, 1000) }, { value: 1, ttl: true });
    await advance(600);
    const second = await other.add(key, 1, { ttl: 1000 });
    check.equal({ ...second, ttl: isUpTo(second.ttl, 400) }, { value: 2, ttl: true });
    check.equal(Number.isInteger(second.ttl), true);
    check.equal((await store.add(key, 1, always)).value, 3);
    await advance(400);
    check.equal(await store.get(key), null);
    const again = await other.add(key, 1, { ttl: 50 });
    check.equal({ ...again, ttl: isUpTo(again.ttl, 50) }, { value: 1, ttl: true });
  }),
  storeTest(
    "restarts an expired counter once for concurrent callers",
    ["advance"],
    async ({ store, other, advance }, check) => {
      const key = newKey();
      await store.add(key, 5, { ttl: 1000 });
      await advance(1000);
      // Long enough not to expire during the test, even on a busy machine.
      const { won } = await race(20, (n) => (n % 2 ? other : store).add(key, 1, { ttl: 60_000 }));
      const values = won.map(({ value }) => value).sort((a, b) => a - b);
      check.equal(
        values,
        Array.from({ length: 20 }, (_, n) => n + 1),
      );
    },
  ),
];
