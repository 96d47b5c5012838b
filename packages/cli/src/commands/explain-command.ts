import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { explainError, similarErrors } from "../explain/explain-error.ts";
import type { Host } from "../host.ts";
import type { Command } from "./command.ts";

/** `cardea explain`: prints the documentation of an error or a warning. Works offline: the pages are part of `@cardea/core`. */
export const explainCommand: Command = {
  usage: "<code>",
  summary: "prints the documentation of an error or a warning, offline",
  options: [
    "  <code>  the type of an error or the code of a warning in the log, or the value of the query parameter `error`",
  ],
  run,
};

async function run(args: readonly string[], host: Host): Promise<number> {
  const code = args.length > 0 ? args.join(" ") : undefined;
  if (code === undefined) {
    host.warn(
      "Pass the type of an error, such as AccessDenied, the code of a warning, such as missing-secret, or a value of the query parameter `error`.",
    );
    return 2;
  }
  const document = await readPages(host.folder);
  if (document === undefined) {
    host.warn("The documentation of errors was not found. Install @cardea/core.");
    return 1;
  }
  const found = explainError(document, code);
  for (const { title, text } of found) host.write(`${title}\n\n${text}\n`);
  if (found.length > 0) return 0;
  const similar = similarErrors(document, code);
  host.warn(`Unknown error or warning "${code}".${similar.length > 0 ? ` Similar: ${similar.join(", ")}.` : ""}`);
  return 1;
}

/** From the version installed in the application, otherwise from the one bundled with the CLI. */
async function readPages(folder: string): Promise<string | undefined> {
  for (const from of [join(folder, "package.json"), import.meta.url]) {
    try {
      const manifest = createRequire(from).resolve("@cardea/core/package.json");
      const pages = ["errors.md", "warnings.md"].map((page) => join(dirname(manifest), "dist/docs", page));
      // Older versions of core have no page of warnings.
      const [errors, warnings = ""] = await Promise.all(pages.map(readOrNothing));
      if (errors !== undefined) return `${errors}\n${warnings}`;
    } catch {
      // Not installed.
    }
  }
  return undefined;
}

function readOrNothing(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}
