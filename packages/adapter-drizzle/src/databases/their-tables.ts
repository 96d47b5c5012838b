import { statementsOf } from "../../../testing/src/served-databases.ts";
import { type Kind, readTables } from "./read-tables.ts";

const ofAuthjs = ["user", "account", "session", "verificationToken", "authenticator"];

/** The columns of passkeys that are ours. */
const NAME_COLUMNS = /([`"]transports[`"] .*\n)(?:\s+[`"](?:name|createdAt|usedAt)[`"] .*\n)+/;

/** The statements with which an application made the tables of `@auth/drizzle-adapter`: five tables, without our indexes and lengths. */
export function theirTables(kind: Kind): string {
  const statements = statementsOf(readTables(kind)).filter((statement) => {
    const [, table = ""] =
      /^(?:CREATE TABLE|ALTER TABLE|CREATE UNIQUE INDEX \S+ ON) ["`](\w+)["`]/.exec(statement) ?? [];
    return ofAuthjs.includes(table);
  });
  const sql = `${statements.join(";\n")};\n`.replace(NAME_COLUMNS, "$1");
  if (kind !== "mysql") return sql;
  return sql
    .replace("`emailVerified` datetime(3)", "`emailVerified` timestamp(3) NULL")
    .replaceAll("datetime(3)", "timestamp")
    .replaceAll(/varchar\(\d+\)/g, "varchar(255)")
    .replace("`id_token` text", "`id_token` varchar(2048)")
    .replaceAll(/ text\b/g, " varchar(255)")
    .replaceAll("utf8mb4_bin", "utf8mb4_general_ci");
}
