// Packs every public package as it would be published, and looks at the tarball as an application would.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAsScript } from "./report-problems.mjs";
import { runCommand } from "./run-command.mjs";
import { listFiles, packageNames } from "./source-files.mjs";

const required = ["package.json", "README.md", "LICENSE"];

/** Problems of the public packages below `root`, which must be built. */
export async function checkPackages(root) {
  const folder = await mkdtemp(join(tmpdir(), "cardea-pack-"));
  try {
    // One after another: pnpm, publint and attw each keep a core busy, and another step runs beside this one.
    const problems = [];
    for (const name of packageNames(root)) problems.push(...(await checkPackage(root, name, join(folder, name))));
    return problems;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkPackage(root, name, folder) {
  const source = join(root, "packages", name);
  const manifest = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
  if (manifest.private) return [];
  const run = async (command) => {
    const { failed, output } = await runCommand(command, { cwd: source });
    return failed ? [`${manifest.name}: ${command.join(" ")}\n${output.trim()}`] : [];
  };
  const packed = await run(["pnpm", "pack", "--pack-destination", folder]);
  const [tarball] = listFiles(folder);
  if (packed.length > 0 || !tarball) return [...packed, ...(tarball ? [] : [`${manifest.name}: no tarball`])];
  const path = join(folder, tarball);
  return [
    ...(await run(["publint", "run", path, "--strict"])),
    ...(await run(["attw", path, "--profile", "esm-only", "--no-emoji"])),
    ...(await run(["tar", "-xzf", path, "-C", folder])),
    ...(await checkContents(manifest.name, join(folder, "package"))),
  ];
}

/** What is in the tarball: all that belongs there, nothing that only makes sense in this repository. */
async function checkContents(name, folder) {
  const files = listFiles(folder, "", new Set());
  const missing = required
    .filter((file) => !files.includes(file))
    .map((file) => `${name}: ${file} is not in the tarball`);
  const tests = files.filter((file) => /\.test\./.test(file)).map((file) => `${name}: ${file} is in the tarball`);
  const manifest = await readFile(join(folder, "package.json"), "utf8");
  return [...missing, ...tests, ...(manifest.includes("workspace:") ? [`${name}: workspace: is in the tarball`] : [])];
}

await runAsScript(import.meta, checkPackages);
