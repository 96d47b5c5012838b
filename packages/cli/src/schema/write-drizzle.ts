import type { TableName } from "./needed-tables.ts";
import type { Database } from "./write-sql.ts";

const MAKERS: Readonly<Record<Database, string>> = {
  postgresql: "postgresTables",
  mysql: "mysqlTables",
  sqlite: "sqliteTables",
};

/** Writes the part of a Drizzle schema with these tables. */
export function writeDrizzle(database: Database, names: readonly TableName[]): string {
  const maker = MAKERS[database];
  const options = names.includes("Authenticator") ? "{ passkeyNames: true }" : "";
  const members = names.map((name) => `  ${name.charAt(0).toLowerCase()}${name.slice(1)}sTable,`);
  return `import { ${maker} } from "@cardea/adapter-drizzle";\n\nexport const {\n${members.join("\n")}\n} = ${maker}(${options});`;
}
