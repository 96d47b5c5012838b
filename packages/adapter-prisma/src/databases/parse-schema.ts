/** A table, described in the same terms by models and by SQL. */
export interface Model {
  /** SQL types by column, with `NOT NULL` for required columns. */
  readonly columns: Readonly<Record<string, string>>;
  /** Unique constraints, indexes and foreign keys; sorted. */
  readonly keys: readonly string[];
}

/** MySQL's default types for Prisma's types. */
const defaultTypes: Readonly<Record<string, string>> = {
  String: "VARCHAR(191)",
  Int: "INTEGER",
  BigInt: "BIGINT",
  Boolean: "BOOLEAN",
  DateTime: "DATETIME(3)",
};

/** The tables that models for MySQL describe, by name. */
export function parseModelText(text: string): Record<string, Model> {
  const models = [...text.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)];
  return Object.fromEntries(models.map(([, name = "", body = ""]) => [name, parseModelBody(body)]));
}

function parseModelBody(body: string): Model {
  const columns: Record<string, string> = {};
  const keys: string[] = [];
  for (const line of body.split("\n").map((untrimmed) => untrimmed.trim())) {
    const block = /^@@(id|index|unique)\(\[(.*)\]\)$/.exec(line);
    if (block) keys.push(`${block[1]}(${block[2]?.replace("length: ", "")})`);
    const relation = /^\w+ +(\w+) @relation\(fields: \[(.*)\], references: \[(.*)\], onDelete: (\w+)\)$/.exec(line);
    if (relation) keys.push(`references(${relation[2]}) ${relation[1]}(${relation[3]}) ${relation[4]}`.toLowerCase());
    const [, name = "", type = "", optional, attributes = ""] = /^(\w+) +(\w+)(\?)?(?: +(.*))?$/.exec(line) ?? [];
    const standard = defaultTypes[type];
    if (standard === undefined) continue;
    const stated = /@db\.(\S+)/.exec(attributes)?.[1]?.toUpperCase();
    columns[name] = `${stated ?? standard}${optional ? "" : " NOT NULL"}`;
    const [, key, length] = /@(id|unique)\b(?:\(length: (\d+)\))?/.exec(attributes) ?? [];
    if (key) keys.push(`${key}(${name}${length === undefined ? "" : `(${length})`})`);
  }
  return { columns, keys: keys.sort() };
}

const sqlKeys: Readonly<Record<string, string>> = { "PRIMARY KEY": "id", "UNIQUE INDEX": "unique", INDEX: "index" };

/** The tables that SQL for MySQL creates, by name. */
export function parseTableText(text: string): Record<string, Model> {
  const tables = [...text.matchAll(/^CREATE TABLE `(\w+)` \(\n([\s\S]*?)^\)/gm)];
  return Object.fromEntries(tables.map(([, name = "", body = ""]) => [name, parseTableBody(body)]));
}

function parseTableBody(body: string): Model {
  const columns: Record<string, string> = {};
  const keys: string[] = [];
  for (const line of body.replaceAll("`", "").split("\n")) {
    const text = line.trim().replace(/,$/, "");
    const [, kind = "", list] = /^(PRIMARY KEY|UNIQUE INDEX|INDEX)[^(]*\((.*)\)$/.exec(text) ?? [];
    const [, from, table, to, onDelete] =
      /FOREIGN KEY \((.*?)\) REFERENCES (\w+)\((.*?)\) ON DELETE (\w+)/.exec(text) ?? [];
    const [, name, type = ""] = /^(\w+) (.+)$/.exec(text) ?? [];
    if (list !== undefined) keys.push(`${sqlKeys[kind]}(${list})`);
    else if (from !== undefined) keys.push(`references(${from}) ${table}(${to}) ${onDelete}`.toLowerCase());
    else if (name !== undefined) columns[name] = type.replace(/(?<! NOT) NULL$/, "");
  }
  return { columns, keys: keys.sort() };
}
