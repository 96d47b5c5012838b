import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { explainError, similarErrors } from "../explain/explain-error.ts";
import type { Host } from "../host.ts";
import type { Command } from "./command.ts";

/** `cardea explain`: prints the documentation of an error. Works offline: the page is part of `@cardea/core`. */
export const explainCommand: Command = {
  usage: "<code>",
  summary: "prints the documentation of an error, offline",
  options: ["  <code>  the type of an error in the log, or the value of the query parameter `error`"],
  run,
};

async function run(args: readonly string[], host: Host): Promise<number> {
  const [code] = args;
  if (code === undefined) {
    host.warn("Pass the type of an error, such as AccessDenied, or a value of the query parameter `error`.");
    return 2;
  }
  const document = await readErrors(host.folder);
  if (document === undefined) {
    host.warn("The documentation of errors was not found. Install @cardea/core.");
    return 1;
  }
  const found = explainError(document, code);
  for (const { title, text } of found) host.write(`${title}\n\n${text}\n`);
  if (found.length > 0) return 0;
  const similar = similarErrors(document, code);
  host.warn(`Unknown error "${code}".${similar.length > 0 ? ` Similar: ${similar.join(", ")}.` : ""}`);
  return 1;
}

/** From the version installed in the application, otherwise from the one bundled with the CLI. */
async function readErrors(folder: string): Promise<string | undefined> {
  for (const from of [join(folder, "package.json"), import.meta.url]) {
    try {
      const manifest = createRequire(from).resolve("@cardea/core/package.json");
      return await readFile(join(dirname(manifest), "dist/errors.md"), "utf8");
    } catch {
      // Not installed.
    }
  }
  return undefined;
}
