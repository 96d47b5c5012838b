import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { changeManifest } from "../adopt/edit-manifest.ts";
import { readTracked, uncleanFiles } from "../files/git.ts";
import { installedVersions } from "../files/installed-versions.ts";
import { packageManagerOf, runPackageManager } from "../files/package-manager.ts";
import { readWorkspace } from "../files/workspace.ts";
import { findObstacles, writeFiles } from "../files/write-files.ts";
import type { Host } from "../host.ts";
import { printReport } from "./adopt-report.ts";
import type { Command } from "./command.ts";

/** `cardea adopt`: migrates the application in this folder from Auth.js v5 or NextAuth v4. */
export const adoptCommand: Command = {
  usage: "[--dry-run] [--no-install] [--verbose] [--json]",
  summary: "migrates an Auth.js v5 or NextAuth v4 application; users stay signed in",
  options: [
    "  --dry-run     reports the changes without writing them",
    "  --no-install  only edits package.json; does not install packages",
    "  --verbose     lists every change, also if there are many",
    "  --json        prints the report as JSON",
  ],
  run,
};

async function run(args: readonly string[], host: Host): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      "dry-run": { type: "boolean" },
      install: { type: "boolean", default: true },
      json: { type: "boolean" },
      verbose: { type: "boolean" },
    },
    allowNegative: true,
  });
  const isDry = values["dry-run"] === true;
  const unclean = isDry ? [] : await uncleanFiles(host.folder);
  if (unclean === null)
    return refuse(
      host,
      "This folder is not in a git repository. Commit the application first, so that you can undo the migration with git.",
    );
  if (unclean.length > 0) {
    return refuse(
      host,
      `The work tree has uncommitted changes (${unclean.slice(0, 3).join(", ")}${unclean.length > 3 ? ", …" : ""}). Commit or stash them first, so that you can undo the migration with git.`,
    );
  }
  const { files, left } = await readTracked(host.folder);
  const installed = await installedVersions(host.folder, [
    "next",
    "@sveltejs/kit",
    "next-auth",
    "@prisma/client",
    "express",
    "react",
    "drizzle-orm",
    "kysely",
  ]);
  // Imported lazily: the parser takes a moment to load.
  const { adopt } = await import("../adopt/adopt.ts");
  const adoption = adopt({
    files,
    installed,
    left,
    workspace: await readWorkspace(host.folder),
    surroundings: surroundingsOf(host.folder),
  });
  if ("refused" in adoption) return refuse(host, adoption.refused);
  if (values.json === true)
    host.write(JSON.stringify({ report: adoption.report, added: adoption.added, removed: adoption.removed }, null, 2));
  else printReport(host, adoption, { isDry, isVerbose: values.verbose === true });
  for (const obstacle of isDry ? await findObstacles(host.folder, adoption.files, files) : [])
    host.warn(`Without --dry-run, nothing would be written: ${obstacle}`);
  if (isDry || adoption.files.size + adoption.added.length + adoption.removed.length === 0) return 0;
  return write(host, files, adoption, values.install);
}

/** Base configurations outside of the folder, which are only read. */
function surroundingsOf(folder: string) {
  const read = (path: string) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      // There is no such file: TypeScript tries several.
      return undefined;
    }
  };
  return { folder: folder.replaceAll("\\", "/"), read };
}

/** Writes the files and changes the packages: both, or neither. */
async function write(
  host: Host,
  files: ReadonlyMap<string, string>,
  { files: changes, removed, added }: Adoption,
  isInstalled: boolean,
): Promise<number> {
  const former = changes.get("/package.json") ?? files.get("/package.json") ?? "{}";
  const manifest = changeManifest(former, { removed, added: isInstalled ? [] : added });
  const all = new Map([
    ...changes,
    ...(manifest === files.get("/package.json") ? [] : [["/package.json", manifest] as const]),
  ]);
  const written = await writeFiles(host.folder, all, files);
  if ("refused" in written) return refuse(host, `Nothing was written. ${written.refused}`);
  if (!isInstalled) return 0;
  const manager = await packageManagerOf(host.folder);
  if (await runPackageManager(host, manager, added)) return 0;
  await written.undo();
  return refuse(
    host,
    `${manager} failed, so all files are as they were before. Fix its error and run the command again, or run it with --no-install and install the packages yourself.`,
  );
}

function refuse(host: Host, reason: string): number {
  host.warn(reason);
  return 1;
}

type Adoption = Exclude<ReturnType<typeof import("../adopt/adopt.ts").adopt>, { refused: string }>;
