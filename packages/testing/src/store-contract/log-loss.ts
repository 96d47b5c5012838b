import type { StoreLog } from "@cardea/core/adapters";
import { unique } from "../adapter-contract/samples.ts";
import { type StoreContractTest, storeTest } from "./contract-test.ts";

const minute = { ttl: 60 } as const;

const newName = (): string => `cardea:contract:${unique("log")}`;

/** A process that remembers the entries of the log, and appends them again to a log that lost some. */
function createProcess(log: StoreLog, name: string) {
  const held = new Set<string>();
  let generation: string | undefined;
  let at: string | null = null;
  return {
    held,
    append: (entry: string) => log.append(name, entry, minute),
    async sync(): Promise<void> {
      const found = await log.since(name, at);
      const isAnother = generation !== undefined && generation !== found.generation;
      const missing = isAnother || !found.complete ? [...held].filter((entry) => !found.entries.includes(entry)) : [];
      for (const entry of found.entries) held.add(entry);
      for (const entry of missing) await log.append(name, entry, minute);
      ({ generation, at } = found);
    },
  };
}

/** A store that loses data, and slow transactions. */
export const logLossTests: readonly StoreContractTest[] = [
  storeTest("reports that everything was lost", ["log", "lose"], async ({ store: { log }, lose }, check) => {
    const name = newName();
    for (const entry of ["one", "two"]) await log.append(name, entry, minute);
    const before = await log.since(name, null);
    await lose();
    const lost = await log.since(name, before.at);
    check.equal({ entries: lost.entries, complete: lost.complete }, { entries: [], complete: false });
    check.equal(lost.generation === before.generation, false);
    for (const entry of ["three", "four", "five"]) await log.append(name, entry, minute);
    const after = await log.since(name, before.at);
    check.equal(
      { entries: after.entries, complete: after.complete },
      { entries: ["three", "four", "five"], complete: false },
    );
    check.equal(after.generation === before.generation || after.generation === "", false);
    const next = await log.since(name, after.at);
    check.equal({ entries: next.entries, complete: next.complete }, { entries: [], complete: true });
  }),
  storeTest("starts again where a log was lost between two pages", ["log", "lose"], async ({ store, lose }, check) => {
    const { log } = store;
    const name = newName();
    for (const entry of ["one", "two", "three"]) await log.append(name, entry, minute);
    const first = await log.since(name, null, { limit: 2 });
    await lose();
    for (const entry of ["four", "five", "six"]) await log.append(name, entry, minute);
    const again = await log.since(name, first.at, { limit: 2 });
    const { entries, complete, more } = again;
    check.equal({ entries, complete, more }, { entries: ["four", "five"], complete: false, more: true });
    const last = await log.since(name, again.at, { limit: 2 });
    check.equal({ entries: last.entries, complete: last.complete }, { entries: ["six"], complete: true });
  }),
  storeTest(
    "reports lost entries after a failover to an outdated replica",
    ["log", "checkpoint"],
    async ({ store, checkpoint }, check) => {
      const { log } = store;
      const name = newName();
      await log.append(name, "one", minute);
      const putBack = await checkpoint();
      await log.append(name, "two", minute);
      await log.append(name, "three", minute);
      const before = await log.since(name, null);
      await putBack();
      const behind = await log.since(name, before.at);
      check.equal({ entries: behind.entries, complete: behind.complete }, { entries: ["one"], complete: false });
      // As many entries as were lost, and one more, so that the log gets as long as before, and longer.
      for (const entry of ["four", "five", "six"]) {
        await log.append(name, entry, minute);
        check.equal((await log.since(name, before.at)).complete, false);
      }
      check.equal((await log.since(name, before.at)).entries, ["one", "four", "five", "six"]);
    },
  ),
  storeTest("loses no entry that one process remembers", ["log", "lose"], async ({ store, other, lose }, check) => {
    const name = newName();
    const [a, b] = [createProcess(store.log, name), createProcess(other.log ?? store.log, name)];
    await a.append("ended: 1");
    await Promise.all([a.sync(), b.sync()]);
    await b.append("ended: 2");
    await b.sync();
    await lose();
    await a.append("ended: 3");
    for (let round = 0; round < 2; round++) await Promise.all([a.sync(), b.sync()]);
    await Promise.all([a.sync(), b.sync()]);
    const fresh = createProcess(store.log, name);
    await fresh.sync();
    for (const { held } of [a, b, fresh]) check.equal([...held].sort(), ["ended: 1", "ended: 2", "ended: 3"]);
  }),
  storeTest("shows concurrent appends in commit order", ["log", "hold"], async ({ store, other, hold }, check) => {
    const [name, log] = [newName(), other.log ?? store.log];
    await store.log.append(name, "zero", minute);
    let { at } = await log.since(name, null);
    const read: string[] = [];
    const poll = async () => {
      const found = await log.since(name, at);
      check.equal(found.complete, true);
      at = found.at;
      read.push(...found.entries);
    };
    // The first append is written but not committed; the second one tries to commit before it.
    const first = await hold((held) => held.log?.append(name, "one", minute) ?? Promise.reject(new Error("no log")));
    const second = log.append(name, "two", minute);
    for (let n = 0; n < 5; n++) await poll();
    check.equal(read.includes("one"), false);
    await first.commit();
    await second;
    await poll();
    check.equal([...read].sort(), ["one", "two"]);
    check.equal((await log.since(name, null)).entries, ["zero", ...read]);
  }),
  storeTest("leaves no gap where an append was rolled back", ["log", "hold"], async ({ store, other, hold }, check) => {
    const [name, log] = [newName(), other.log ?? store.log];
    await store.log.append(name, "zero", minute);
    const { at } = await log.since(name, null);
    const keys = { [`${name}:key`]: "a" };
    const undone = await hold(
      (held) => held.log?.append(name, "undone", { ttl: 60, keys }) ?? Promise.reject(new Error("no log")),
    );
    const second = log.append(name, "two", minute);
    await undone.rollBack();
    await second;
    const { entries, complete } = await log.since(name, at);
    check.equal(
      { entries, complete, key: await store.get(`${name}:key`) },
      { entries: ["two"], complete: true, key: null },
    );
  }),
];
