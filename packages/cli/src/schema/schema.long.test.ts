import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "../run-cli.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cardea-schema-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** An application with adapters as `npm install` puts them there. */
function writeApplication(files: Readonly<Record<string, string>>, adapters: readonly string[]): void {
  const dependencies = Object.fromEntries(adapters.map((name) => [`@cardea/adapter-${name}`, "1.0.0"]));
  write({ "package.json": JSON.stringify({ dependencies }), ...files });
  mkdirSync(join(folder, "node_modules/@cardea"), { recursive: true });
  for (const name of adapters) {
    const target = fileURLToPath(new URL(`../../../adapter-${name}`, import.meta.url));
    symlinkSync(target, join(folder, `node_modules/@cardea/adapter-${name}`));
  }
}

async function run(...args: string[]) {
  const lines: string[] = [];
  const add = (line: string) => void lines.push(line);
  const code = await runCli(["schema", ...args], { folder, env: {}, write: add, warn: add });
  return { code, output: lines.join("\n") };
}

const AUTH = `import { DrizzleAdapter } from "@cardea/adapter-drizzle";
import { createAuth } from "@cardea/next";
import Email from "@cardea/providers-email";
import { sessions } from "@cardea/sessions";
import { postgresTables } from "@cardea/adapter-drizzle";

export const { auth } = createAuth({
  adapter: DrizzleAdapter(db, postgresTables()),
  providers: [Email({})],
  extensions: [sessions()],
});
`;

/** The statements of an output. */
const statementsIn = (output: string): readonly string[] =>
  output
    .replace(/^--.*$/gm, "")
    .split(/;$/m)
    .map((statement) => statement.trim())
    .filter(Boolean);

const ADDS =
  /^(?:SET lock_timeout = '5s'$|CREATE TABLE IF NOT EXISTS |CREATE (?:UNIQUE )?INDEX |ALTER TABLE \S+ ADD COLUMN )/;

describe("cardea schema", () => {
  it("names the tables that the configuration needs, and why", async () => {
    writeApplication({ "src/auth.ts": AUTH }, ["drizzle"]);
    const { code, output } = await run();
    expect(code).toBe(0);
    expect(output).toContain(
      "// postgresql, drizzle: User, Account, Session, VerificationToken, SessionInfo, State, StateLog\n",
    );
    expect(output).toContain("//   SessionInfo: sessions from @cardea/sessions\n");
    expect(output).toContain(
      "export const {\n  usersTable,\n  accountsTable,\n  sessionsTable,\n  verificationTokensTable,\n  sessionInfosTable,\n  statesTable,\n  stateLogsTable,\n} = postgresTables();",
    );
  });

  it("leaves out the store where another one is configured, and sessions that are in cookies", async () => {
    const changed = AUTH.replace("providers:", 'store, session: { strategy: "jwt" }, providers:');
    writeApplication({ "src/auth.ts": changed }, ["drizzle"]);
    expect((await run()).output).toContain("// postgresql, drizzle: User, Account, VerificationToken, SessionInfo\n");
  });

  it.each([
    ["prisma", "postgresql"],
    ["prisma", "mysql"],
    ["prisma", "sqlite"],
    ["drizzle", "postgresql"],
    ["drizzle", "mysql"],
    ["drizzle", "sqlite"],
    ["kysely", "postgresql"],
    ["kysely", "mysql"],
    ["kysely", "sqlite"],
  ])("writes SQL of %s for %s that only adds", async (adapter, database) => {
    writeApplication({}, [adapter]);
    const { code, output } = await run("--for", "sql", "--all", "--database", database);
    expect(code).toBe(0);
    const statements = statementsIn(output);
    expect(statements.filter((statement) => statement.startsWith("CREATE TABLE"))).toHaveLength(9);
    expect(statements.filter((statement) => !ADDS.test(statement))).toEqual([]);
    expect(statements.filter((statement) => /FOREIGN KEY[\s\S]*ON DELETE cascade/i.test(statement))).toHaveLength(5);
  });

  it("writes nothing for a database that has everything, and what is missing for another one", async () => {
    writeApplication({}, ["drizzle"]);
    for (const database of ["postgresql", "mysql", "sqlite"]) {
      const args = ["--for", "sql", "--all", "--database", database];
      const { output: whole } = await run(...args);
      write({ "dump.sql": whole });
      const again = await run(...args, "--diff", "dump.sql");
      expect({ database, statements: statementsIn(again.output) }).toEqual({ database, statements: [] });
      expect(again.output).toContain("-- Nothing is missing.");
      // One column, one index and one table less.
      const less = whole
        .replace(/^ +.session_state. .*\n/m, "")
        .replace(/^(?:CREATE INDEX .*session_userId_idx.*|,? *INDEX .session_userId_idx.*)\n?/m, "")
        .replace(/,(?=\n\) ENGINE)/g, "")
        .replace(/^CREATE TABLE IF NOT EXISTS .stateLog. \([\s\S]*?;$/m, "")
        .replace(/^CREATE INDEX .*stateLog.*$/m, "");
      write({ "dump.sql": less });
      const statements = statementsIn((await run(...args, "--diff", "dump.sql")).output);
      expect(statements.filter((statement) => !ADDS.test(statement))).toEqual([]);
      const shown = statements.filter((one) => !one.startsWith("SET")).map((one) => one.replace(/\s*\([\s\S]*/, ""));
      expect({ database, shown: shown.map((one) => /(session_state|session_userId|stateLog)/.exec(one)?.[1]) }).toEqual(
        {
          database,
          shown: ["session_state", "session_userId", "stateLog", ...(database === "mysql" ? [] : ["stateLog"])],
        },
      );
    }
  });

  it("refers to users as the database has them", async () => {
    writeApplication({}, ["drizzle"]);
    write({
      "pg.sql": 'CREATE TABLE public."user" (\n    id uuid DEFAULT gen_random_uuid() NOT NULL,\n    email text\n);\n',
      "my.sql":
        "CREATE TABLE `user` (\n  `id` varchar(36) NOT NULL,\n  PRIMARY KEY (`id`)\n) ENGINE=InnoDB COLLATE=utf8mb4_uca1400_ai_ci;\n",
    });
    const args = ["--for", "sql", "--all", "--database"];
    const postgres = (await run(...args, "postgresql", "--diff", "pg.sql")).output;
    expect(postgres).toContain('"userId" uuid NOT NULL');
    expect(postgres).toContain('ALTER TABLE "user" ADD COLUMN IF NOT EXISTS "emailVerified" timestamp;');
    const mysql = (await run(...args, "mysql", "--diff", "my.sql")).output;
    expect(mysql).toContain("`userId` varchar(36) NOT NULL");
    expect(mysql).toContain("COLLATE utf8mb4_uca1400_ai_ci;");
    expect(mysql).not.toContain("utf8mb4_bin");
  });

  it("writes the models that a schema of Prisma lacks, and the relations for those that it has", async () => {
    const provider = 'datasource db {\n  provider = "mysql"\n}\n';
    writeApplication({ "prisma/schema.prisma": provider }, ["prisma"]);
    const whole = (await run("--all")).output;
    expect([...whole.matchAll(/^model (\w+) \{/gm)].map(([, name]) => name)).toHaveLength(9);
    expect(whole).toContain("@db.");
    write({
      "prisma/schema.prisma": `${provider}model User {\n  id String @id\n  accounts Account[]\n}\nmodel Account {\n}\n`,
    });
    write({
      "auth.ts":
        'import { createAuth } from "@cardea/express";\nimport { PasswordProvider } from "@cardea/providers-password";\ncreateAuth({ adapter: PrismaAdapter(db), store, providers: [PasswordProvider()] });\n',
    });
    const { output } = await run();
    expect([...output.matchAll(/^model (\w+) \{/gm)].map(([, name]) => name)).toEqual([
      "Session",
      "VerificationToken",
      "Credential",
    ]);
    expect(output).toContain("// Add to your model User:\n//   sessions Session[]\n//   credentials Credential[]");
  });

  it("names the columns that an existing model of passkeys lacks", async () => {
    writeApplication(
      {
        "auth.ts":
          'import { createAuth } from "@cardea/express";\nimport { Passkey } from "@cardea/providers-webauthn";\ncreateAuth({ adapter: PrismaAdapter(db), providers: [Passkey()] });\n',
        "schema.prisma":
          'datasource db {\n  provider = "sqlite"\n}\nmodel Authenticator {\n  credentialID String @unique\n  transports String?\n}\n',
      },
      ["prisma"],
    );
    const { output } = await run();
    expect(output).toContain(
      "// Add to your model Authenticator:\n//   name String?\n//   createdAt DateTime?\n//   usedAt DateTime?",
    );
  });

  it.each(["for", "adapter", "database"])("names the values of --%s when it is another one", async (option) => {
    writeApplication({}, ["drizzle"]);
    const refused = { code: 2, output: expect.stringMatching(`--${option} must be .+ or .+, not: mongo`) };
    expect(await run("--database", "sqlite", `--${option}`, "mongo")).toEqual(refused);
  });

  it("says what it cannot tell", async () => {
    writeApplication({}, ["drizzle"]);
    expect(await run("--all")).toEqual({ code: 2, output: expect.stringContaining("--database") });
    expect(await run("--database", "sqlite")).toEqual({ code: 1, output: expect.stringContaining("--all") });
    const all = ["--all", "--database", "sqlite"];
    expect(await run(...all, "--for", "prisma")).toEqual({
      code: 2,
      output: expect.stringContaining("drizzle or sql"),
    });
    expect(await run(...all, "--adapter", "kysely")).toEqual({
      code: 1,
      output: expect.stringContaining("not installed"),
    });
    expect(await run(...all, "--for", "sql", "--diff", "none.sql")).toEqual({
      code: 2,
      output: expect.stringContaining("cannot read none.sql"),
    });
  });
});
