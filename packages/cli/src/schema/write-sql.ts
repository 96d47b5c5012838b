import type { SqlColumn, SqlIndex, SqlSchema, SqlTable } from "./parse-sql.ts";

/** The databases that SQL is written for. */
export type Database = "postgresql" | "mysql" | "sqlite";

/** What {@link writeSql} is given. */
export interface SqlPlan {
  readonly database: Database;
  /** Everything that the tables of the package are. */
  readonly whole: SqlSchema;
  /** The tables to write, by their names in the database. */
  readonly names: readonly string[];
  /** What the database has already, as far as it was told. */
  readonly existing: SqlSchema;
  /** MySQL: the collation of the table of users, which the columns that refer to it must have. */
  readonly collation?: string | undefined;
  /** The type of the ids of users, which the columns that refer to them must have; default: that of the package. */
  readonly userId?: string | undefined;
}

/**
 * SQL that only adds, and that may be run again: tables and indexes that are not there, and columns that an existing table lacks.
 * Columns that are added to a table may be empty, whatever they are in a new one: the rows that are there have no value for them.
 * Nothing is dropped, renamed or changed.
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
  // A lock that is not granted soon is given up, so that no request waits behind it.
  return ["SET lock_timeout = '5s';", ...statements];
}

function createTable(plan: SqlPlan, table: SqlTable, indexes: readonly SqlIndex[]): string {
  const { database, collation } = plan;
  const quote = quoteOf(database);
  // MySQL cannot create an index only where there is none: it is part of the new table.
  const inline = database === "mysql" ? indexes.map(inlineIndex) : [];
  const columns = table.columns.map((column) => columnText(plan, column));
  const members = [...columns, ...table.constraints, ...inline];
  const ending = collation === undefined ? table.ending : table.ending.replace(/COLLATE \w+/i, `COLLATE ${collation}`);
  const lines = members.map((member) => `    ${member}`).join(",\n");
  return `CREATE TABLE IF NOT EXISTS ${quote}${table.name}${quote} (\n${lines}\n)${ending === "" ? "" : ` ${ending}`};`;
}

/** The definition of a column. One that refers to users has the type of their ids. */
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

/** Whether there is an index of these columns, under any name, also as a constraint of the table. */
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

/** Names in order, each with a comma after it. */
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
  // Writes go on while PostgreSQL builds it.
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

/** What columns that refer to an existing table of users must share with it. */
export function referTo(users: SqlTable | undefined): Pick<SqlPlan, "collation" | "userId"> {
  const id = users?.columns.find(({ name }) => name === "id")?.text;
  const type = /^\S+ ([a-z]+(?: varying)?(?: ?\(\d+\))?)/i.exec(id ?? "")?.[1];
  return { collation: /COLLATE\s*=?\s*(\w+)/i.exec(users?.ending ?? "")?.[1], userId: type };
}
