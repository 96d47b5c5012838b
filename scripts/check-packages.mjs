// Packs every public package as it would be published, and looks at the tarball as an application would.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAsScript } from "./report-problems.mjs";
import { runCommand } from "./run-command.mjs";
import { listFiles, packageNames } from "./source-files.mjs";

// pnpm, publint and attw wait for the disk half of the time; another step runs beside this one.
const workers = 3;

const required = ["package.json", "README.md", "LICENSE"];

/** Problems of the public packages below `root`, which must be built. */
export async function checkPackages(root) {
  const folder = await mkdtemp(join(tmpdir(), "cardea-pack-"));
  try {
    const names = packageNames(root);
    const problems = names.map(() => []);
    const work = names.entries();
    const worker = async () => {
      for (const [index, name] of work) problems[index] = await checkPackage(root, name, join(folder, name));
    };
    await Promise.all(Array.from({ length: workers }, worker));
    return problems.flat();
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
    ...(name.startsWith("providers-") ? await checkAlone(root, manifest, source, folder) : []),
  ];
}

/** Imports what was packed in an application that has core, and of everything else only what the package depends on. */
async function checkAlone(root, { name, dependencies = {} }, source, folder) {
  const modules = join(folder, "app", "node_modules");
  await mkdir(join(modules, "@cardea"), { recursive: true });
  await rename(join(folder, "package"), join(modules, name));
  await symlink(join(root, "packages", "core"), join(modules, "@cardea", "core"));
  const others = Object.keys(dependencies).filter((dependency) => dependency !== "@cardea/core");
  for (const dependency of others) {
    const installed = join(source, "node_modules", dependency);
    if (existsSync(installed)) await symlink(installed, join(modules, dependency));
  }
  const code = `await import(${JSON.stringify(name)})`;
  const { failed, output } = await runCommand(["node", "--input-type=module", "-e", code], {
    cwd: join(folder, "app"),
  });
  return failed ? [`${name}: cannot be imported beside core alone\n${output.trim()}`] : [];
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
