import { retryPassing, type StateRow as State, type StateLogTable } from "@cardea/core/adapters";
import { inTransaction } from "../in-transaction.ts";
import type { Model, Models, StateLogRow, StateRow } from "../models-of.ts";
import type { PrismaClientLike } from "../prisma-client.ts";
import { codeOf, ifThere } from "../write-rows.ts";
import { putTexts, toData } from "./state-table.ts";

/** The model of logs, with their heads in the model of the shared state. */
export function stateLogTable(
  client: PrismaClientLike,
  states: Model<StateRow>,
  entries: Model<StateLogRow>,
): StateLogTable {
  return {
    append(head, entry, texts) {
      const write = async ({ state, stateLog }: Models) => {
        if (state === undefined || stateLog === undefined) throw new TypeError("The client has no State or StateLog.");
        const { value, version: seq } = await nextNumber(state, head);
        await stateLog.create({ data: { ...entry, seq } });
        await putTexts(state, texts);
        return { ...entry, seq: Number(seq), generation: value ?? "" };
      };
      return retryPassing(() => inTransaction(client, write), isTaken);
    },
    async read(name, { key, from, limit }) {
      const head = await states.findUnique({ where: { key } });
      if (head === null) return { generation: null, entries: [] };
      const take = limit === undefined ? {} : { take: limit };
      const where = { name, seq: { gte: BigInt(from) } };
      const rows = await entries.findMany({ where, orderBy: { seq: "asc" }, ...take });
      const generation = head.value ?? "";
      return { generation, entries: rows.map((row) => ({ ...row, seq: Number(row.seq), generation })) };
    },
    async purge(name, below, before, limit) {
      const where = { name, seq: { lt: BigInt(below) }, expires: { lt: before } };
      const expired = await entries.findMany({ where, orderBy: { expires: "asc" }, take: limit });
      if (expired.length > 0) await entries.deleteMany({ where: { name, seq: { in: expired.map((one) => one.seq) } } });
    },
  };
}

/** Takes the next number, and locks the row until the end of the transaction. */
async function nextNumber(states: Model<StateRow>, head: State): Promise<StateRow> {
  const taken = await ifThere(states.update({ where: { key: head.key }, data: { version: { increment: 1 } } }));
  return taken ?? states.create({ data: toData(head) });
}

/** Two first entries collided. */
const isTaken = (error: unknown): boolean => codeOf(error) === "P2002";
