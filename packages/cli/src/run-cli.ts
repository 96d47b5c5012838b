import { readFile } from "node:fs/promises";
import { adoptCommand } from "./commands/adopt-command.ts";
import type { Command } from "./commands/command.ts";
import { doctorCommand } from "./commands/doctor-command.ts";
import { explainCommand } from "./commands/explain-command.ts";
import { initCommand } from "./commands/init-command.ts";
import { openCommand } from "./commands/open-command.ts";
import { schemaCommand } from "./commands/schema-command.ts";
import { secretCommand } from "./commands/secret-command.ts";
import type { Host } from "./host.ts";

const COMMANDS: Readonly<Record<string, Command>> = {
  adopt: adoptCommand,
  doctor: doctorCommand,
  init: initCommand,
  schema: schemaCommand,
  secret: secretCommand,
  explain: explainCommand,
  open: openCommand,
};

/** Works in every folder; in the scripts of a project that has the package, `cardea` does too. */
const PROGRAM = "npx @cardea/cli";

const ISSUES = "https://github.com/cardea-auth/cardea/issues";

/** Characters that control a terminal or change the order of text: names of files and texts of others may contain them. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** User and password of a URL. */
const CREDENTIALS = /\b([a-z][\w+.-]*:\/\/)[^\s/?#@"'`]*(?::[^\s/?#"'`]*)?@/gi;

/** A line as it may be printed: controls are escaped, and URLs lose their credentials. */
function printable(line: string): string {
  const escaped = line.replace(CONTROLS, (one) =>
    one === "\n" || one === "\t" ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return escaped.replace(CREDENTIALS, "$1…@");
}

/**
 * Runs one command.
 *
 * @param args Arguments after `cardea`.
 * @returns The exit code: 0 for success, 1 for a finding or refusal, 2 for invalid arguments.
 */
export async function runCli(args: readonly string[], given: Host): Promise<number> {
  const host: Host = {
    ...given,
    write: (line) => given.write(printable(line)),
    warn: (line) => given.warn(printable(line)),
  };
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    for (const line of usage()) host.write(line);
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    host.write(await readVersion());
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    host.warn(`Unknown command "${name}".`);
    for (const line of usage()) host.warn(line);
    return 2;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    for (const line of [`${PROGRAM} ${name} ${command.usage}`, "", command.summary, ...command.options])
      host.write(line);
    return 0;
  }
  try {
    return await command.run(rest, host);
  } catch (error) {
    // Errors of `parseArgs`: an unknown option.
    if (!(error instanceof TypeError) || !("code" in error) || !String(error.code).startsWith("ERR_PARSE_ARGS")) {
      const { message = String(error) } = Object(error);
      host.warn(`\`${name}\` stopped: ${message}`);
      host.warn(`If nothing in this folder explains it, report it: ${ISSUES}`);
      return 1;
    }
    host.warn(`${error.message.replace(/[.]?$/, ".")} See: ${PROGRAM} ${name} --help`);
    return 2;
  }
}

function usage(): readonly string[] {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`);
  return [`Usage: ${PROGRAM} <command>`, "", ...rows, "", `Options of a command: ${PROGRAM} <command> --help`];
}

/** The version of this package; sources and built files are one level below its `package.json`. */
async function readVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  return String(Object(manifest).version);
}
