import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeFiles } from "../files/write-files.ts";
import type { Host } from "../host.ts";
import { createSecret, rotateSecret } from "../secret/rotate-secret.ts";
import type { Command } from "./command.ts";

/** `cardea secret`: prints a new secret, or rotates the one in an environment file. */
export const secretCommand: Command = {
  usage: "[--rotate] [--file .env.local]",
  summary: "prints a new secret, or rotates the secret in a file",
  options: [
    "  --rotate  puts a new secret first in the file, and keeps the previous one after it",
    "  --file    the environment file; default .env.local",
  ],
  run,
};

async function run(args: readonly string[], host: Host): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { rotate: { type: "boolean" }, file: { type: "string", default: ".env.local" } },
  });
  if (values.rotate !== true) {
    host.write(createSecret());
    return 0;
  }
  const path = resolve(host.folder, values.file);
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) {
    host.warn(`${values.file} does not exist. Pass the file with --file.`);
    return 1;
  }
  const { text: rotated, former, isOldestDropped } = rotateSecret(text, createSecret());
  const name = `/${basename(path)}`;
  const written = await writeFiles(dirname(path), new Map([[name, rotated]]), new Map([[name, text]]));
  if ("refused" in written) {
    host.warn(`Nothing was written. ${written.refused}`);
    return 1;
  }
  host.write(
    `${values.file}: AUTH_SECRET is new; ${former} previous ${former === 1 ? "secret is" : "secrets are"} still accepted.`,
  );
  if (isOldestDropped) host.write("The oldest secret was removed; sessions encrypted with it end.");
  host.write("Set the same values in each deployment, in all instances at once or the numbered secrets first.");
  host.write(
    "Remove the previous secrets after `session.maxAge` (default 30 days). Until then, sessions and links created with them stay valid.",
  );
  return 0;
}
