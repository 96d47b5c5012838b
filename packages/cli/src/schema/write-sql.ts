import type { SqlColumn, SqlIndex, SqlSchema, SqlTable } from "./parse-sql.ts";

/** The databases for which SQL can be written. */
export type Database = "postgresql" | "mysql" | "sqlite";

/** Arguments of {@link writeSql}. */
export interface SqlPlan {
  readonly database: Database;
  /** The complete schema of the package. */
  readonly whole: SqlSchema;
  /** The tables to write, by database name. */
  readonly names: readonly string[];
  /** The existing schema, as far as known. */
  readonly existing: SqlSchema;
  /** MySQL: the collation of the users table, which referencing columns must share. */
  readonly collation?: string | undefined;
  /** The type of user ids, which referencing columns must share; default: that of the package. */
  readonly userId?: string | undefined;
}

/**
 * Writes additive, repeatable SQL: missing tables, indexes and columns. Columns added to an existing table are
 * nullable, because existing rows have no value for them. Nothing is dropped, renamed or changed.
 */
export function writeSql(plan: SqlPlan): readonly string[] {
  const { database, whole, names, existing } = plan;
  const statements: string[] = [];
  for (const name of names) {
    const table = whole.tables.find((one) => one.name === name);
    if (table === undefined) continue;
    const found = existing.tables.find((one) => one.name === name);
    const indexes = whole.indexes.filter((index) => index.table === name);
    if (found === undefined) statements.push(createTable(plan, table, indexes));
    else statements.push(...addColumns(plan, table, found));
    const isInline = database === "mysql" && found === undefined;
    const missing = isInline ? [] : indexes.filter((index) => !hasIndex(existing, found, index));
    statements.push(...missing.map((index) => createIndex(database, index)));
  }
  if (database !== "postgresql" || statements.length === 0) return statements;
  // Give up if a lock is not granted soon, so that requests do not queue behind it.
  return ["SET lock_timeout = '5s';", ...statements];
}

function createTable(plan: SqlPlan, table: SqlTable, indexes: readonly SqlIndex[]): string {
  const { database, collation } = plan;
  const quote = quoteOf(database);
  // MySQL has no CREATE INDEX IF NOT EXISTS, so the index is part of the new table.
  const inline = database === "mysql" ? indexes.map(inlineIndex) : [];
  const columns = table.columns.map((column) => columnText(plan, column));
  const members = [...columns, ...table.constraints, ...inline];
  const ending = collation === undefined ? table.ending : table.ending.replace(/COLLATE \w+/i, `COLLATE ${collation}`);
  const lines = members.map((member) => `    ${member}`).join(",\n");
  return `CREATE TABLE IF NOT EXISTS ${quote}${table.name}${quote} (\n${lines}\n)${ending === "" ? "" : ` ${ending}`};`;
}

/** The definition of a column. A column that references users has the type of their ids. */
function columnText({ userId }: SqlPlan, { name, text }: SqlColumn): string {
  const isReference = name === "userId" || name === "user_id";
  return isReference && userId !== undefined ? text.replace(/^(\S+) .*?(?= NOT NULL|$)/i, `$1 ${userId}`) : text;
}

function inlineIndex({ name, columns, isUnique }: SqlIndex): string {
  return `${isUnique ? "UNIQUE " : ""}INDEX \`${name}\` (${columns})`;
}

function addColumns(plan: SqlPlan, table: SqlTable, found: SqlTable): readonly string[] {
  const { database } = plan;
  const quote = quoteOf(database);
  const there = new Set(found.columns.map(({ name }) => name.toLowerCase()));
  const missing = table.columns.filter(({ name }) => !there.has(name.toLowerCase()));
  const condition = database === "postgresql" ? "IF NOT EXISTS " : "";
  return missing.map((column) => {
    const optional = columnText(plan, column).replace(/ PRIMARY KEY| NOT NULL/gi, "");
    return `ALTER TABLE ${quote}${found.name}${quote} ADD COLUMN ${condition}${optional};`;
  });
}

/** Whether an index on these columns exists, under any name, or as a table constraint. */
function hasIndex(existing: SqlSchema, table: SqlTable | undefined, index: SqlIndex): boolean {
  const wanted = columnsOf(index.columns);
  const begins = (columns: string) => columnsOf(columns).startsWith(wanted);
  const serves = (columns: string, isUnique: boolean) =>
    index.isUnique ? isUnique && columnsOf(columns) === wanted : begins(columns);
  const own = existing.indexes.filter((one) => one.table === index.table);
  if (own.some((one) => serves(one.columns, one.isUnique))) return true;
  if (table === undefined) return false;
  const isColumn = table.columns.some(
    ({ name, text }) => columnsOf(name) === wanted && / UNIQUE\b| PRIMARY KEY\b/i.test(text),
  );
  return (
    isColumn ||
    table.constraints.some((text) => !/FOREIGN KEY/i.test(text) && serves(listIn(text), /UNIQUE|PRIMARY/i.test(text)))
  );
}

function listIn(constraint: string): string {
  return /\(([^)]*)\)/.exec(constraint)?.[1] ?? "";
}

/** Names in order, each followed by a comma. */
function columnsOf(list: string): string {
  const names = list.split(",").map((name) =>
    name
      .replace(/["`[\]]/g, "")
      .trim()
      .toLowerCase(),
  );
  return names.map((name) => `${name.replace(/\s.*$/, "")},`).join("");
}

function createIndex(database: Database, { name, table, isUnique, columns }: SqlIndex): string {
  const quote = quoteOf(database);
  const unique = isUnique ? "UNIQUE " : "";
  const on = `ON ${quote}${table}${quote} (${columns})`;
  if (database === "mysql") return `CREATE ${unique}INDEX \`${name}\` ${on};`;
  // PostgreSQL allows writes while it builds the index.
  const concurrently = database === "postgresql" ? "CONCURRENTLY " : "";
  return `CREATE ${unique}INDEX ${concurrently}IF NOT EXISTS ${quote}${name}${quote} ${on};`;
}

function quoteOf(database: Database): string {
  return database === "postgresql" ? '"' : "`";
}

/** The table of a model: `User`, `user`, `verification_token`. */
export function tableNamed({ tables }: SqlSchema, model: string): SqlTable | undefined {
  const plain = (name: string) => name.replaceAll("_", "").toLowerCase();
  return tables.find(({ name }) => plain(name) === plain(model));
}

/** The properties that columns referencing an existing users table must share with it. */
export function referTo(users: SqlTable | undefined): Pick<SqlPlan, "collation" | "userId"> {
  const id = users?.columns.find(({ name }) => name === "id")?.text;
  const type = /^\S+ ([a-z]+(?: varying)?(?: ?\(\d+\))?)/i.exec(id ?? "")?.[1];
  return { collation: /COLLATE\s*=?\s*(\w+)/i.exec(users?.ending ?? "")?.[1], userId: type };
}
