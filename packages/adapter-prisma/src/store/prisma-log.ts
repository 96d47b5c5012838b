import type { StoreEntries, StoreLog } from "@cardea/core/adapters";
import { inTransaction } from "../in-transaction.ts";
import type { Model, Models, StateLogRow, StateRow } from "../models-of.ts";
import type { PrismaClientLike } from "../prisma-client.ts";
import { retryPassing } from "../retry-passing.ts";
import { codeOf, ifThere } from "../write-rows.ts";
import { endOf, putText } from "./state-rows.ts";
import { sha256, storedKey } from "./stored-key.ts";

/** After this many entries, expired entries are deleted. */
const ENTRIES_UNTIL_PURGE = 16n;

/**
 * The log. The next number is taken from the row of the log in `State`, under its lock and in the transaction that
 * inserts the entry: therefore, numbers are in the order of commits, and a rolled-back entry leaves no gap. A database
 * sequence would be numbered at insert but visible at commit: a reader that saw 11 would never see 10.
 *
 * A position is `<generation>.<number>.<mark>`: after a failover to a replica that lags behind, other entries may have
 * the numbers of lost ones; their marks differ.
 */
export function prismaLog(client: PrismaClientLike, states: Model<StateRow>, entries: Model<StateLogRow>): StoreLog {
  const readFrom = async (name: string, seq: bigint): Promise<readonly StateLogRow[]> =>
    entries.findMany({ where: { name, seq: { gte: seq } }, orderBy: { seq: "asc" } });

  return {
    async append(logName, entry, { ttl, keys = {} }) {
      const name = await storedKey(logName);
      const texts = await Promise.all(
        Object.entries(keys).map(async ([key, text]) => [await storedKey(key), text] as const),
      );
      const expires = endOf(ttl) ?? new Date();
      const write = async ({ state, stateLog }: Models): Promise<string> => {
        if (state === undefined || stateLog === undefined) throw new TypeError("The client has no State or StateLog.");
        const head = await nextNumber(state, name);
        const row = { name, seq: head.version, entry, expires };
        await stateLog.create({ data: row });
        for (const [key, text] of texts) await putText(state, key, text, expires);
        if (head.version % ENTRIES_UNTIL_PURGE === 0n) await purge(stateLog, row);
        return positionOf(head.value, row);
      };
      return retryPassing(() => inTransaction(client, write), isTaken);
    },
    async since(logName, after) {
      const name = await storedKey(logName);
      const head = await states.findUnique({ where: { key: headKey(name) } });
      if (head === null) return { generation: "", at: "", entries: [], complete: after === null || after === "" };
      if (after === null || after === "") return toEntries(head, await readFrom(name, 0n), true);
      const [generation, seq = ""] = after.split(".");
      const rows = /^\d{1,18}$/.test(seq) && generation === head.value ? await readFrom(name, BigInt(seq)) : [];
      const goesOn = rows[0] !== undefined && (await positionOf(head.value, rows[0])) === after;
      if (goesOn) return toEntries(head, rows.slice(1), true, after);
      return toEntries(head, await readFrom(name, 0n), false);
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

/** Deletes expired entries, except the one before the new entry, because readers may be positioned there. */
async function purge(entries: Model<StateLogRow>, { name, seq }: StateLogRow): Promise<void> {
  await entries.deleteMany({ where: { name, seq: { lt: seq - 1n }, expires: { lt: new Date() } } });
}

async function toEntries(
  head: StateRow,
  rows: readonly StateLogRow[],
  complete: boolean,
  before = "",
): Promise<StoreEntries> {
  const last = rows.at(-1);
  const at = last === undefined ? before : await positionOf(head.value, last);
  return { generation: head.value ?? "", at, entries: rows.map(({ entry }) => entry), complete };
}

async function positionOf(generation: string | null, { seq, entry, expires }: StateLogRow): Promise<string> {
  return `${generation}.${seq}.${(await sha256(`${expires.getTime()} ${entry}`)).slice(0, 8)}`;
}

/** Two first entries collided. */
const isTaken = (error: unknown): boolean => codeOf(error) === "P2002";
