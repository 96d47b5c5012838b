import type { StoreEntries, StoreLog } from "@cardea/core/adapters";
import { inTransaction } from "../in-transaction.ts";
import type { Model, Models, StateLogRow, StateRow } from "../models-of.ts";
import type { PrismaClientLike } from "../prisma-client.ts";
import { retryPassing } from "../retry-passing.ts";
import { codeOf, ifThere } from "../write-rows.ts";
import { endOf, putTexts } from "./state-rows.ts";
import { sha256, storedKey } from "./stored-key.ts";

/** After this many entries, expired entries are deleted. */
const ENTRIES_UNTIL_PURGE = 16n;

/** The most entries that one statement deletes, so that it holds locks briefly. */
const ENTRIES_PER_PURGE = 200;

/**
 * The log. The next number is taken from the row of the log in `State`, under its lock and in the transaction that
 * inserts the entry: therefore, numbers are in the order of commits, and a rolled-back entry leaves no gap. A database
 * sequence would be numbered at insert but visible at commit: a reader that saw 11 would never see 10.
 *
 * A position is `<generation>.<number>.<mark>`: after a failover to a replica that lags behind, other entries may have
 * the numbers of lost ones; their marks differ.
 */
export function prismaLog(client: PrismaClientLike, states: Model<StateRow>, entries: Model<StateLogRow>): StoreLog {
  /** The entries from a number on: one more than the limit, which shows that there are more. */
  const readFrom = async (name: string, seq: bigint, limit?: number): Promise<readonly StateLogRow[]> => {
    const take = limit === undefined ? {} : { take: limit + 1 };
    return entries.findMany({ where: { name, seq: { gte: seq } }, orderBy: { seq: "asc" }, ...take });
  };

  return {
    async append(logName, entry, { ttl, keys = {} }) {
      const name = await storedKey(logName);
      const texts = new Map(
        await Promise.all(Object.entries(keys).map(async ([key, text]) => [await storedKey(key), text] as const)),
      );
      const expires = endOf(ttl) ?? new Date();
      const write = async ({ state, stateLog }: Models): Promise<readonly [string, StateLogRow]> => {
        if (state === undefined || stateLog === undefined) throw new TypeError("The client has no State or StateLog.");
        const head = await nextNumber(state, name);
        const row = { name, seq: head.version, entry, expires };
        await stateLog.create({ data: row });
        await putTexts(state, texts, expires);
        return [await positionOf(head.value, row), row];
      };
      const [position, row] = await retryPassing(() => inTransaction(client, write), isTaken);
      // Afterwards, so that the row of the log is not locked meanwhile. A failed cleanup is repeated by the next one.
      if (row.seq % ENTRIES_UNTIL_PURGE === 0n) await purge(entries, row).catch(() => undefined);
      return position;
    },
    async since(logName, after, { limit } = {}) {
      const name = await storedKey(logName);
      const head = await states.findUnique({ where: { key: headKey(name) } });
      if (head === null) return { generation: "", at: "", entries: [], complete: after === null || after === "" };
      const toPage = (rows: readonly StateLogRow[], o: { readonly complete: boolean; readonly before?: string }) =>
        toEntries(head, rows, { ...o, limit });
      if (after === null || after === "") return toPage(await readFrom(name, 0n, limit), { complete: true });
      const [generation, seq = ""] = after.split(".");
      const isOfHead = /^\d{1,18}$/.test(seq) && generation === head.value;
      const rows = isOfHead ? await readFrom(name, BigInt(seq), limit && limit + 1) : [];
      const goesOn = rows[0] !== undefined && (await positionOf(head.value, rows[0])) === after;
      if (goesOn) return toPage(rows.slice(1), { complete: true, before: after });
      return toPage(await readFrom(name, 0n, limit), { complete: false });
    },
  };
}

/** Key of the row with a log's generation (its text) and the number of its last entry (its version). */
const headKey = (name: string): string => `log:${name}`;

/** Takes the next number, and locks the row until the end of the transaction. */
async function nextNumber(states: NonNullable<Models["state"]>, name: string): Promise<StateRow> {
  const key = headKey(name);
  const head = await ifThere(states.update({ where: { key }, data: { version: { increment: 1 } } }));
  return head ?? states.create({ data: { key, value: crypto.randomUUID(), expires: null, version: 1n } });
}

/** Deletes some of the expired entries, the oldest first, except the one before the new entry, because readers may be positioned there. */
async function purge(entries: Model<StateLogRow>, { name, seq }: StateLogRow): Promise<void> {
  const where = { name, seq: { lt: seq - 1n }, expires: { lt: new Date() } };
  const expired = await entries.findMany({ where, orderBy: { expires: "asc" }, take: ENTRIES_PER_PURGE });
  if (expired.length > 0) await entries.deleteMany({ where: { name, seq: { in: expired.map((one) => one.seq) } } });
}

interface PageFacts {
  readonly limit: number | undefined;
  readonly complete: boolean;
  /** The position to go on from if there are no entries. */
  readonly before?: string;
}

/** A page of entries, of which those beyond the limit only show that there are more. */
async function toEntries(
  head: StateRow,
  rows: readonly StateLogRow[],
  { limit, complete, before = "" }: PageFacts,
): Promise<StoreEntries> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const at = last === undefined ? before : await positionOf(head.value, last);
  const more = page.length < rows.length;
  return { generation: head.value ?? "", at, entries: page.map(({ entry }) => entry), complete, ...(more && { more }) };
}

async function positionOf(generation: string | null, { seq, entry, expires }: StateLogRow): Promise<string> {
  return `${generation}.${seq}.${(await sha256(`${expires.getTime()} ${entry}`)).slice(0, 8)}`;
}

/** Two first entries collided. */
const isTaken = (error: unknown): boolean => codeOf(error) === "P2002";
