/** A table in SQL. Texts are kept as written. */
export interface SqlTable {
  readonly name: string;
  /** The lines between the parentheses, without commas: columns and constraints. */
  readonly columns: readonly SqlColumn[];
  readonly constraints: readonly string[];
  /** Table options after the parentheses, such as the engine. */
  readonly ending: string;
}

/** A column: its name, and its definition including the name. */
export interface SqlColumn {
  readonly name: string;
  readonly text: string;
}

/** An index. */
export interface SqlIndex {
  readonly name: string;
  readonly table: string;
  readonly isUnique: boolean;
  /** The columns, with quotes. */
  readonly columns: string;
}

/** The tables and indexes created by SQL statements. */
export interface SqlSchema {
  readonly tables: readonly SqlTable[];
  readonly indexes: readonly SqlIndex[];
}

const NAME = /(?:["`[]?\w+["`\]]?\.)?["`[]?(\w+)["`\]]?/.source;
const CREATE_TABLE = new RegExp(`^CREATE TABLE (?:IF NOT EXISTS )?${NAME}\\s*\\(([\\s\\S]*)\\)([^)]*)$`, "i");
const CREATE_INDEX = new RegExp(
  `^CREATE (UNIQUE )?INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?${NAME} ON (?:ONLY )?${NAME}\\s*(?:USING \\w+ )?\\(([^)]*)\\)`,
  "i",
);
const ADD_MEMBER = new RegExp(
  `^ALTER TABLE (?:ONLY )?${NAME}\\s+ADD (?:COLUMN (?:IF NOT EXISTS )?|(?=CONSTRAINT ))([\\s\\S]*)$`,
  "i",
);
const CONSTRAINT = /^(?:CONSTRAINT|PRIMARY KEY|UNIQUE|FOREIGN KEY|CHECK|(?:UNIQUE )?(?:INDEX|KEY))\b/i;

/**
 * Parses statements that create tables and indexes; skips others. Constraints and columns added to a table count as part of it.
 * Accepts the SQL in our packages, and the output of `pg_dump --schema-only`, `mysqldump --no-data` and SQLite's
 * `.schema`.
 */
export function parseSql(text: string): SqlSchema {
  const tables = new Map<string, SqlTable>();
  const indexes: SqlIndex[] = [];
  for (const statement of statementsOf(text)) {
    const [, name, body, ending = ""] = CREATE_TABLE.exec(statement) ?? [];
    if (name !== undefined && body !== undefined) tables.set(name, parseTable(name, body, ending.trim()));
    const [, unique, index, table, columns] = CREATE_INDEX.exec(statement) ?? [];
    if (index !== undefined && table !== undefined && columns !== undefined) {
      indexes.push({ name: index, table, isUnique: unique !== undefined, columns: columns.trim() });
    }
    const [, altered = "", member] = ADD_MEMBER.exec(statement) ?? [];
    const owner = tables.get(altered);
    if (owner === undefined || member === undefined) continue;
    const added = parseTable(altered, member, "");
    tables.set(altered, {
      ...owner,
      columns: [...owner.columns, ...added.columns],
      constraints: [...owner.constraints, ...added.constraints],
    });
  }
  return { tables: [...tables.values()], indexes };
}

/** Statements without comments. Assumes that no string in a schema contains a semicolon. */
function statementsOf(text: string): readonly string[] {
  const plain = text.replace(/^\s*--.*$/gm, "").replace(/\/\*[\s\S]*?\*\//g, "");
  return plain.split(";").flatMap((statement) => (statement.trim() === "" ? [] : [statement.trim()]));
}

function parseTable(name: string, body: string, ending: string): SqlTable {
  const members = splitMembers(body);
  return {
    name,
    ending,
    columns: members
      .filter((member) => !CONSTRAINT.test(member))
      .map((text) => ({ name: /^["`[]?(\w+)/.exec(text)?.[1] ?? "", text })),
    constraints: members.filter((member) => CONSTRAINT.test(member)),
  };
}

/** Splits at commas outside of parentheses. */
function splitMembers(body: string): readonly string[] {
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < body.length; index++) {
    const character = body[index];
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (character !== "," || depth > 0) continue;
    members.push(body.slice(start, index));
    start = index + 1;
  }
  return [...members, body.slice(start)].map((member) => member.trim().replace(/\s+/g, " ")).filter(Boolean);
}
