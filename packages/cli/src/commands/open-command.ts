import { text } from "node:stream/consumers";
import { openCookie, parseCookie } from "../cookie/open-cookie.ts";
import type { Host } from "../host.ts";
import type { Command } from "./command.ts";

const VARIABLES = ["AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3", "NEXTAUTH_SECRET"];

/** `cardea open`: shows which format and secret decrypt a session cookie. Sends nothing over the network. */
export const openCommand: Command = {
  usage: "<cookie>",
  summary: "decrypts a session cookie, and shows its format and secret",
  options: [
    "  <cookie>  the value, name=value, or a Cookie header with all chunks; `-` reads standard input,",
    "            which keeps the cookie out of the shell history. Secrets are read from the environment and .env files",
  ],
  run,
};

async function run(args: readonly string[], host: Host): Promise<number> {
  const [given] = args;
  if (given === undefined) {
    host.warn("Pass a cookie, or use `npx @cardea/cli open -` to read it from standard input.");
    return 2;
  }
  const { factsOf, readEnvironmentFiles } = await import("../doctor/collect-facts.ts");
  const { env } = factsOf({ files: await readEnvironmentFiles(host.folder), env: host.env });
  const secrets = VARIABLES.flatMap((name) => (env[name] ? [{ name, value: env[name] }] : []));
  if (secrets.length === 0) {
    host.warn("No secret found. Set AUTH_SECRET, or run the command in the folder with the .env file.");
    return 1;
  }
  const { name, value } = parseCookie(given === "-" ? await text(process.stdin) : given);
  const opened = await openCookie(value, secrets, name);
  if (opened === null) {
    host.warn(
      `The cookie could not be decrypted with ${secrets.map((secret) => secret.name).join(", ")}. The cookie of a database session is only a key and contains no data.`,
    );
    return 1;
  }
  host.write(`format: ${opened.format}`);
  host.write(`secret: ${opened.secret}`);
  if (opened.salt !== undefined) host.write(`cookie: ${opened.salt}`);
  host.write(JSON.stringify(opened.claims, null, 2));
  return 0;
}
