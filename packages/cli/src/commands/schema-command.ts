import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Facts } from "../doctor/facts.ts";
import { readTexts } from "../files/git.ts";
import type { Host } from "../host.ts";
import type { AdapterName } from "../schema/find-set-up.ts";
import type { NeededTable } from "../schema/needed-tables.ts";
import type { Database } from "../schema/write-sql.ts";
import type { Command } from "./command.ts";

/** `cardea schema`: prints the tables that the configuration in this folder needs. Does not execute anything. */
export const schemaCommand: Command = {
  usage: "[--for prisma|drizzle|sql] [--diff FILE]",
  summary: "prints the tables that the configuration needs",
  options: [
    "  --for FORM         prisma: models; drizzle: TypeScript; sql: statements. Default: the form of the adapter",
    "  --diff FILE        omits what this SQL file already contains, such as a schema dump; may be repeated",
    "  --adapter NAME     prisma, drizzle or kysely; default: from the configuration",
    "  --database NAME    postgresql, mysql or sqlite; default: detected from schema and drivers",
    "  --collation NAME   MySQL: collation of the users table; default: from --diff, otherwise utf8mb4_bin",
    "  --all              prints all tables, regardless of the configuration",
  ],
  run,
};

const options = {
  for: { type: "string" },
  diff: { type: "string", multiple: true },
  adapter: { type: "string" },
  database: { type: "string" },
  collation: { type: "string" },
  all: { type: "boolean" },
} as const;

const FORMS = ["prisma", "drizzle", "sql"] as const;
type Form = (typeof FORMS)[number];

/** What to print. */
interface Order {
  readonly form: Form;
  readonly adapter: AdapterName;
  readonly database: Database;
  readonly needed: readonly NeededTable[];
}

async function run(args: readonly string[], host: Host): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  // Imported lazily: the parser takes a moment to load.
  const { factsOf } = await import("../doctor/collect-facts.ts");
  const facts = factsOf({ files: await readTexts(host.folder), env: host.env });
  const order = await readOrder(facts, values);
  if ("refused" in order) {
    host.warn(order.refused);
    return order.code;
  }
  const folder = packageFolder(host.folder, order.adapter);
  if (folder === undefined) {
    host.warn(
      `@cardea/adapter-${order.adapter} contains the tables but is not installed. Install it, then run the command again.`,
    );
    return 1;
  }
  const existing = await readExisting(host, values.diff ?? []);
  if (existing === undefined) return 2;
  const lines = await write(order, folder, { facts, existing, collation: values.collation });
  const comment = order.form === "sql" ? "--" : "//";
  host.write(`${comment} ${order.database}, ${order.adapter}: ${order.needed.map(({ name }) => name).join(", ")}`);
  if (values.all !== true) for (const { name, reason } of order.needed) host.write(`${comment}   ${name}: ${reason}`);
  if (lines.length === 0) host.write(`${comment} Nothing is missing.`);
  for (const line of lines) host.write(`\n${line}`);
  return 0;
}

interface Values {
  readonly for?: string | undefined;
  readonly adapter?: string | undefined;
  readonly database?: string | undefined;
  readonly all?: boolean | undefined;
}

/** What to print; or why it cannot be determined, with the exit code. */
async function readOrder(facts: Facts, values: Values): Promise<Order | { refused: string; code: number }> {
  const { ADAPTERS, databaseOf, findAdapter, findDatabase } = await import("../schema/find-set-up.ts");
  const { neededTables, TABLES } = await import("../schema/needed-tables.ts");
  const { importedFrom } = await import("../schema/imported-from.ts");
  const wrong = (refused: string) => ({ refused, code: 2 });
  if (values.for !== undefined && !FORMS.some((one) => one === values.for))
    return wrong(`--for must be prisma, drizzle or sql, not: ${values.for}`);
  const adapter = values.adapter === undefined ? findAdapter(facts) : ADAPTERS.find((name) => name === values.adapter);
  if (adapter === undefined) return wrong(missing("adapter", "prisma, drizzle or kysely", values.adapter));
  const database = values.database === undefined ? findDatabase(facts) : databaseOf(values.database);
  if (database === undefined) return wrong(missing("database", "postgresql, mysql or sqlite", values.database));
  const forms: readonly Form[] = adapter === "kysely" ? ["sql"] : [adapter, "sql"];
  const form = values.for === undefined ? forms[0] : forms.find((one) => one === values.for);
  if (form === undefined)
    return wrong(`--for ${values.for} is not supported by the ${adapter} adapter: use ${forms.join(" or ")}.`);
  if (values.all !== true && facts.configurations.length === 0) {
    return { refused: "No file calls `createAuth()`, so the required tables are unknown. Use --all.", code: 1 };
  }
  const needed =
    values.all === true
      ? TABLES.map((name) => ({ name, reason: "--all" }))
      : neededTables(facts.configurations, importedFrom);
  return { form, adapter, database, needed };
}

/** Why an option is needed, or why its value is not accepted. */
function missing(name: "adapter" | "database", accepted: string, given: string | undefined): string {
  if (given !== undefined) return `--${name} must be ${accepted}, not: ${given}`;
  return `The ${name} could not be detected. Pass --${name} ${accepted}.`;
}

/** The installed package of an adapter, resolved like Node.js: in `node_modules` of the folder and its parents. */
function packageFolder(folder: string, adapter: AdapterName): string | undefined {
  const found = join(folder, "node_modules/@cardea", `adapter-${adapter}`);
  if (existsSync(join(found, "package.json"))) return found;
  const above = dirname(folder);
  return above === folder ? undefined : packageFolder(above, adapter);
}

/** The contents of files; undefined, with a warning, if one cannot be read. */
async function readExisting(host: Host, paths: readonly string[]): Promise<string | undefined> {
  const texts: string[] = [];
  for (const path of paths) {
    const text = await readFile(resolve(host.folder, path), "utf8").catch(() => undefined);
    if (text === undefined) {
      host.warn(`--diff: cannot read ${path}.`);
      return undefined;
    }
    texts.push(text);
  }
  return texts.join("\n;\n");
}

interface Sources {
  readonly facts: Facts;
  readonly existing: string;
  readonly collation: string | undefined;
}

async function write({ form, adapter, database, needed }: Order, folder: string, sources: Sources) {
  const names = needed.map(({ name }) => name);
  const stem = `schema.${database === "postgresql" ? "postgres" : database}`;
  if (form === "drizzle") return [(await import("../schema/write-drizzle.ts")).writeDrizzle(database, names)];
  if (form === "prisma") {
    const { writePrisma } = await import("../schema/write-prisma.ts");
    const schemas = [...sources.facts.files].filter(([path]) => path.endsWith(".prisma")).map(([, text]) => text);
    return writePrisma(await readFile(join(folder, "prisma", `${stem}.prisma`), "utf8"), names, schemas.join("\n"));
  }
  const { parseSql } = await import("../schema/parse-sql.ts");
  const { referTo, tableNamed, writeSql } = await import("../schema/write-sql.ts");
  const file = join(folder, adapter === "prisma" ? "prisma" : "sql", `${stem}.sql`);
  const whole = parseSql(await readFile(file, "utf8"));
  const existing = parseSql(sources.existing);
  const tables = names.flatMap((name) => tableNamed(whole, name)?.name ?? []);
  return writeSql({
    ...{ database, whole, names: tables, existing },
    ...referTo(tableNamed(existing, "User")),
    ...(sources.collation === undefined ? {} : { collation: sources.collation }),
  });
}
