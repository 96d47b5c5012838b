/** The names of the account's token columns, in the tables of all adapters. */
const TOKENS = "(?:access|refresh|id)_token";

/** Prisma schema: a token column with a limit. A column without an attribute is reported by `schema-token-length`. */
const PRISMA = new RegExp(`^\\s*${TOKENS}\\s+String\\??.*@db\\.(?:VarChar|Char|NVarChar)\\(`);

/** Drizzle schema: a column or member with that name. */
const DRIZZLE = new RegExp(`\\bvarchar\\(\\s*["']${TOKENS}["']|\\b${TOKENS}:\\s*(?:varchar|char)\\(`);

/** SQL: the table that a statement creates or alters. */
const SQL_TABLE = /^\s*(?:CREATE|ALTER)\s+TABLE\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:ONLY\s+)?([\w."`[\]]+)/i;

/**
 * SQL: a token column before its type. MySQL changes a type with MODIFY, PostgreSQL with TYPE, and SQL Server with the
 * type alone.
 */
const SQL_COLUMN = new RegExp(`(?<![\\w.])["\`[]?(${TOKENS})["\`\\]]?\\s+(?:(?:SET\\s+DATA\\s+)?TYPE\\s+)?`, "gi");

/** Text types with a limit. In PostgreSQL, a `varchar` without a length has no limit. */
const LIMITED = /^(?:(?:n?var|n)?char2?|national\s+varchar|character(?:\s+varying)?)\s*\(\s*\d+|^tinytext\b/i;
const UNLIMITED =
  /^(?:(?:medium|long|n)?text|n?varchar|character\s+varying|n?clob|(?:medium|long)?blob|bytea|jsonb?)\b/i;

/** A column that limits a token, with file path and line. */
export interface LimitedColumn {
  readonly path: string;
  readonly line: number;
}

/**
 * Finds token columns with a limit, in Prisma and Drizzle schemas and in SQL. In SQL, the last statement about a column
 * counts.
 */
export function findLimitedColumns(files: ReadonlyMap<string, string>): readonly LimitedColumn[] {
  const inSchemas = [...files].flatMap(([path, text]) => (path.endsWith(".sql") ? [] : inSchema(path, text)));
  const lastOf = new Map<string, LimitedColumn | undefined>();
  for (const [path, text] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (!path.endsWith(".sql")) continue;
    for (const { column, isLimited, line } of inSql(text)) {
      lastOf.set(`${folderOf(path)} ${column}`, isLimited ? { path, line } : undefined);
    }
  }
  return [...inSchemas, ...[...lastOf.values()].filter((found) => found !== undefined)];
}

function inSchema(path: string, text: string): readonly LimitedColumn[] {
  const pattern = path.endsWith(".prisma") ? PRISMA : DRIZZLE;
  return text.split("\n").flatMap((line, index) => (pattern.test(line) ? [{ path, line: index + 1 }] : []));
}

/** The folder of all migrations. Each migration may have its own numbered folder. */
const folderOf = (path: string): string => path.replace(/\/(?:\d[^/]*\/.*|[^/]*)$/, "");

interface Declared {
  /** The table and the column. */
  readonly column: string;
  readonly isLimited: boolean;
  readonly line: number;
}

function inSql(text: string): readonly Declared[] {
  // Comments are replaced with spaces, so that positions do not change.
  const plain = text.replace(/--.*|\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));
  let start = 0;
  return plain.split(";").flatMap((statement) => {
    const offset = start;
    start += statement.length + 1;
    const table = SQL_TABLE.exec(statement)?.[1]?.replace(/["`[\]]/g, "");
    if (table === undefined) return [];
    return [...statement.matchAll(SQL_COLUMN)].flatMap(({ index, 0: before, 1: name }) => {
      const type = statement.slice(index + before.length);
      const isLimited = LIMITED.test(type);
      if (!isLimited && !UNLIMITED.test(type)) return [];
      const line = plain.slice(0, offset + index).split("\n").length;
      return [{ column: `${table}.${name}`.toLowerCase(), isLimited, line }];
    });
  });
}
