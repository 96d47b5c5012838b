import { sql } from "kysely";
import type { AnyKysely } from "../connection.ts";
import { KyselyAdapter } from "../kysely-adapter.ts";
import { openMariadb } from "./mariadb.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { TestDatabase } from "./test-database.ts";

/** The log of ended sessions. */
const LOG = "cardea:sessions:log";

const LIFE = 30 * 24 * 60 * 60;

const EXPIRES = () => new Date(Date.now() + LIFE * 1000);

/** An entry around its id, which the database makes. */
const [ENTRY_START, ENTRY_END] = JSON.stringify([
  ["end", "sid", "|", Math.floor(Date.now() / 1000) + LIFE, "ended"],
]).split("|");

type Fill = (db: AnyKysely, row: { readonly records: number; readonly from: number }) => Promise<void>;

const fillPostgres: Fill = async (db, { records, from }) => {
  const id = sql`lpad(to_hex(n), 32, '0')`;
  const numbers = sql`generate_series(1, ${sql.lit(records)}) n`;
  await sql`insert into "StateLog" (name, seq, entry, expires)
    select ${LOG}, ${sql.lit(from)} + n, ${ENTRY_START}::text || ${id} || ${ENTRY_END}::text, ${EXPIRES()}::timestamptz
    from ${numbers}`.execute(db);
  await sql`insert into "State" (key, value, expires, version)
    select 'filled ' || ${id}, 'ended', ${EXPIRES()}::timestamptz, 0 from ${numbers}`.execute(db);
  await sql`analyze`.execute(db);
};

const fillMariadb: Fill = async (db, { records, from }) => {
  const id = sql`lpad(hex(seq), 32, '0')`;
  const numbers = sql.raw(`seq_1_to_${records}`);
  await sql`insert into StateLog (name, seq, entry, expires)
    select ${LOG}, ${sql.lit(from)} + seq, concat(${ENTRY_START}, ${id}, ${ENTRY_END}), ${EXPIRES()}
    from ${numbers}`.execute(db);
  await sql`insert into State (\`key\`, value, expires, version)
    select concat('filled ', ${id}), 'ended', ${EXPIRES()}, 0 from ${numbers}`.execute(db);
};

const fillSqlite: Fill = async (db, { records, from }) => {
  const id = sql`printf('%032x', n)`;
  const numbers = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${records})`;
  const expires = EXPIRES().toISOString();
  await sql`${numbers} insert into StateLog (name, seq, entry, expires)
    select ${LOG}, ${from} + n, ${ENTRY_START} || ${id} || ${ENTRY_END}, ${expires} from numbers`.execute(db);
  await sql`${numbers} insert into State (key, value, expires, version)
    select 'filled ' || ${id}, 'ended', ${expires}, 0 from numbers`.execute(db);
};

/** The store in a PostgreSQL database of its own, and what a measurement does to the log of ended sessions. */
export const openSharedPostgres = async () => share(await openPostgres(), fillPostgres);

/** The same in MariaDB. */
export const openSharedMariadb = async () => share(await openMariadb(), fillMariadb);

/** The same in SQLite. */
export const openSharedSqlite = async () => share(await openSqlite(), fillSqlite);

function share(database: TestDatabase, fill: Fill) {
  // A cast: tables are named by text.
  const db = database.db as unknown as AnyKysely;
  const { store } = KyselyAdapter(database.db);
  if (store === undefined) throw new Error("The adapter has no store.");
  const head = `log:${LOG}`;
  const move = (to: number) => db.updateTable("State").set({ version: to }).where("key", "=", head).execute();
  const last = async () => {
    const row = await db.selectFrom("State").select("version").where("key", "=", head).executeTakeFirst();
    return Number(row?.version ?? 0);
  };
  return {
    store,
    async fill(records: number) {
      const from = await last();
      await fill(db, { records, from });
      await move(from + records);
    },
    async lag(records: number) {
      const to = (await last()) - records;
      await db.deleteFrom("StateLog").where("seq", ">", to).execute();
      await move(to);
    },
    empty: () =>
      // In one step, and the row of the log first: it is locked while an entry is appended.
      db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom("State").execute();
        await transaction.deleteFrom("StateLog").execute();
      }),
    close: () => database.close(),
  };
}
