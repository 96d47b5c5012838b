import { text } from "node:stream/consumers";
import { openCookie, parseCookie } from "../cookie/open-cookie.ts";
import type { Host } from "../host.ts";
import type { Command } from "./command.ts";

const VARIABLES = ["AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3", "NEXTAUTH_SECRET"];

/** `cardea open`: shows which format and which secret open a session cookie. Nothing leaves this machine. */
export const openCommand: Command = {
  usage: "<cookie>",
  summary: "shows which format and secret open a session cookie",
  options: [
    "  <cookie>  its value, name=value, or a Cookie header with all chunks; `-` reads it from the standard input,",
    "            which keeps it out of the shell's history. Secrets come from the environment and the .env files",
  ],
  run,
};

async function run(args: readonly string[], host: Host): Promise<number> {
  const [given] = args;
  if (given === undefined) {
    host.warn("Which cookie? `cardea open -` reads it from the standard input.");
    return 2;
  }
  const { factsOf, readEnvironmentFiles } = await import("../doctor/collect-facts.ts");
  const { env } = factsOf({ files: await readEnvironmentFiles(host.folder), env: host.env });
  const secrets = VARIABLES.flatMap((name) => (env[name] ? [{ name, value: env[name] }] : []));
  if (secrets.length === 0) {
    host.warn("There is no secret to try: set AUTH_SECRET, or run the command where the .env file is.");
    return 1;
  }
  const { name, value } = parseCookie(given === "-" ? await text(process.stdin) : given);
  const opened = await openCookie(value, secrets, name);
  if (opened === null) {
    host.warn(
      `No format opens it with ${secrets.map((secret) => secret.name).join(", ")}. A cookie of a session in a database is the key of its row, and holds nothing.`,
    );
    return 1;
  }
  host.write(`format: ${opened.format}`);
  host.write(`secret: ${opened.secret}`);
  if (opened.salt !== undefined) host.write(`cookie: ${opened.salt}`);
  host.write(JSON.stringify(opened.claims, null, 2));
  return 0;
}
