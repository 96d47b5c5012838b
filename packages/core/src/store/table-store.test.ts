import { storeContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { type StateLogRow, type StateLogTable, type StateRow, type StateTable, tableStore } from "./table-store.ts";

type Entry = Omit<StateLogRow, "generation"> & { readonly name: string };

/** The two tables in memory, as the least that an adapter does. */
function createTables() {
  const rows = new Map<string, StateRow>();
  const log: Entry[] = [];
  const put = ({ key, ...row }: StateRow) => {
    const before = rows.get(key);
    rows.set(key, { key, ...row, version: before === undefined ? row.version : before.version + 1 });
  };
  const states: StateTable = {
    find: async (key) => rows.get(key) ?? null,
    create: async (row) => !rows.has(row.key) && Boolean(rows.set(row.key, row)),
    put: async (row) => put(row),
    async replace({ key, version, isText, expiredAt }, next) {
      const row = rows.get(key);
      if (row?.version !== version || (row.value !== null) !== isText) return false;
      if (expiredAt !== null && (row.expires === null || row.expires > expiredAt)) return false;
      if (next === null) rows.delete(key);
      else rows.set(key, { key, ...next });
      return true;
    },
    async increment(key, by, { now, least, most }) {
      const row = rows.get(key);
      if (row === undefined || row.value !== null || (row.expires !== null && row.expires <= now)) return null;
      if (row.version < least || row.version > most) return null;
      const next = { ...row, version: row.version + by };
      rows.set(key, next);
      return next;
    },
    async purge(before, limit) {
      const old = [...rows.values()].filter(({ expires }) => expires !== null && expires < before).slice(0, limit);
      for (const { key } of old) rows.delete(key);
      return old.length;
    },
  };
  const logs: StateLogTable = {
    async append(head, entry, texts) {
      const { value, version } = rows.get(head.key) ?? { ...head, version: 0 };
      const row = { ...entry, seq: version + 1 };
      rows.set(head.key, { ...head, value, version: row.seq });
      log.push(row);
      for (const text of texts) put(text);
      return { ...row, generation: value ?? "" };
    },
    async read(name, { key, from, limit }) {
      const generation = rows.get(key)?.value;
      if (generation === undefined || generation === null) return { generation: null, entries: [] };
      const entries = log.filter((row) => row.name === name && row.seq >= from).slice(0, limit);
      return { generation, entries: entries.map((row) => ({ ...row, generation })) };
    },
    async purge(name, below, before) {
      const kept = log.filter((row) => row.name !== name || row.seq >= below || row.expires >= before);
      log.splice(0, log.length, ...kept);
    },
  };
  return { rows, log, states, logs };
}

function storeUnderTest() {
  const { rows, log, states, logs } = createTables();
  const earlier = (time: Date, seconds: number): Date => new Date(time.getTime() - 1000 * seconds);
  return {
    store: tableStore(states, logs),
    other: tableStore(states, logs),
    async advance(seconds: number) {
      for (const [key, row] of rows) rows.set(key, { ...row, expires: row.expires && earlier(row.expires, seconds) });
      for (const [n, row] of log.entries()) log[n] = { ...row, expires: earlier(row.expires, seconds) };
    },
    async lose() {
      rows.clear();
      log.splice(0);
    },
  };
}

describe("tableStore()", () => {
  storeContract({ describe, it, expect }, storeUnderTest, { lacks: ["hold", "checkpoint"] });

  it("counts a caller who read the expired counter, when others have counted as far as it since", async () => {
    const { states, rows } = createTables();
    const store = tableStore(states);
    const countThrice = async () => {
      for (let n = 0; n < 3; n++) await store.add("tries", 1, { ttl: 60 });
    };
    rows.set("tries", { key: "tries", value: null, version: 3, expires: new Date(0) });
    let isFirst = true;
    const find = async (key: string) => {
      const row = await states.find(key);
      if (isFirst) {
        isFirst = false;
        await countThrice();
      }
      return row;
    };
    expect(await tableStore({ ...states, find }).add("tries", 1, { ttl: 60 })).toMatchObject({ value: 4 });
  });

  it("swaps the expected text, although it was set again between read and write", async () => {
    const { states } = createTables();
    const store = tableStore(states);
    await store.set("key", "same", { ttl: 60 });
    let isFirst = true;
    const find = async (key: string) => {
      const row = await states.find(key);
      if (isFirst) {
        isFirst = false;
        await store.set("key", "same", { ttl: 60 });
      }
      return row;
    };
    expect(await tableStore({ ...states, find }).swap("key", "same", "next", { ttl: 60 })).toBe(true);
    expect(await store.get("key")).toBe("next");
  });

  it("has a log only with a table for it", () => {
    expect(tableStore(createTables().states).log).toBeUndefined();
  });
});
