import { TABLES_FILE } from "./databases.ts";
import type { ProviderChoice } from "./providers.ts";

/** The file that starts the local provider and then the application. */
export const SCRIPT_FILE = "dev-auth.mjs";

/** Lines of a script that start a program, whose arguments are code, and end with it. */
export const spawning = (program: string, args: string): readonly string[] => [
  'import { spawn } from "node:child_process";',
  `const application = spawn(${JSON.stringify(program)}, ${args}, { stdio: "inherit", shell: process.platform === "win32" });`,
  'application.once("exit", (code) => process.exit(code ?? 1));',
];

const WITH_MAIL = [
  "// For development only: a local OpenID Provider that accepts any user name,",
  "// and a mail server that delivers nothing. Links in its e-mails are printed here.",
] as const;

const PRINT_MAILS = [
  "const inbox = await startSmtpSink({ port: 4025 });",
  "const printMails = async () => {",
  "  for (;;) {",
  "    const { to, links } = await inbox.nextMail();",
  '    console.log("E-mail to " + to.join() + ": " + links[0]);',
  "  }",
  "};",
  "printMails();",
] as const;

const CREATE_TABLES = [
  "// Creates the tables that are missing in the file of the database.",
  `execFileSync(process.execPath, ["${TABLES_FILE}"], { stdio: "inherit" });`,
] as const;

/**
 * Returns the script for development.
 *
 * @param parts the ways to sign in, and the extensions, whose messages are printed.
 * @param basePath where the actions are, such as `/auth`.
 * @param hasTables whether it creates the tables.
 * @param start lines that start the application, with their imports.
 */
export function developmentScript(
  { chosen, extensions }: { readonly chosen: readonly ProviderChoice[]; readonly extensions: readonly string[] },
  basePath: string,
  hasTables: boolean,
  start: readonly string[],
): readonly string[] {
  const hasMail = chosen.includes("email");
  const printing = [...(chosen.includes("password") ? ["Password()"] : []), ...extensions.map((name) => `${name}()`)];
  const isImport = (line: string) => line.startsWith("import ");
  return [
    ...(hasTables ? ['import { execFileSync } from "node:child_process";'] : []),
    'import { once } from "node:events";',
    'import { createServer as createProbe } from "node:net";',
    'import { startOidcProvider } from "@cardea/testing/oidc-provider";',
    ...(hasMail ? ['import { startSmtpSink } from "@cardea/testing/smtp-sink";'] : []),
    ...start.filter(isImport),
    "",
    "const port = Number(process.env.PORT ?? 3000);",
    "process.env.PORT = String(port);",
    'process.env.AUTH_URL = "http://localhost:" + port;',
    ...(printing.length === 0
      ? []
      : [`process.env.NODE_ENV ??= "development"; // prints the messages of ${printing.join(" and ")}`]),
    `for (const one of [port, 4000${hasMail ? ", 4025" : ""}]) {`,
    "  const probe = createProbe();",
    '  await once(probe.listen(one), "listening").catch((error) => {',
    '    const remedy = one === port ? "choose another one with PORT" : "replace the number in this file and .env.local";',
    '    console.error("Port " + one + " is unavailable (" + error.code + "). End the process that uses it, or " + remedy + ".");',
    "    process.exit(1);",
    "  });",
    "  probe.close();",
    "}",
    "",
    ...(hasTables ? [...CREATE_TABLES, ""] : []),
    ...(hasMail ? WITH_MAIL : WITH_MAIL.slice(0, 1).map((line) => line.replace(/,$/, "."))),
    `await startOidcProvider({ port: 4000, redirectUris: [process.env.AUTH_URL + "${basePath}/callback/local"] });`,
    ...(hasMail ? PRINT_MAILS : []),
    "",
    ...start.filter((line) => !isImport(line)),
  ];
}
