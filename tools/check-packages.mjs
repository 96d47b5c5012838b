// Packs every public package as it would be published, and looks at the tarball as an application would: publint, every mode of
// module resolution, no file that only makes sense in this repository, and providers alone beside core.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runAsScript } from "./report-problems.mjs";
import { runCommand } from "./run-command.mjs";
import { listFiles, packageNames } from "./source-files.mjs";

// pnpm, publint and attw wait for the disk half of the time; another step runs beside this one.
const workers = 3;

const required = ["package.json", "README.md", "LICENSE"];

/** All that may be in a tarball, besides what `files` of the database adapters names. */
const allowed =
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/.+\.(?:js|d\.ts)|dist\/(?:errors\.md|third-party-licenses\.txt)|prisma\/[\w.-]+\.(?:prisma|sql)|sql\/[\w.-]+\.sql)$/;

/**
 * Problems of the public packages below `root`, which must be built.
 *
 * Packages whose manifests differ in words alone get the same answer from publint and attw: without `everyPackage` the first of them is
 * asked about.
 */
export async function checkPackages(root, { everyPackage = Boolean(process.env.CARDEA_TEST_LONG) } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "cardea-pack-"));
  try {
    const names = packageNames(root);
    const found = names.map(() => []);
    const work = names.entries();
    const shapes = new Set();
    const isNew = (shape) => everyPackage || (!shapes.has(shape) && shapes.add(shape));
    const worker = async () => {
      for (const [index, name] of work) found[index] = await checkPackage(root, name, join(folder, name), isNew);
    };
    await Promise.all(Array.from({ length: workers }, worker));
    return found.flat();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What publint and attw judge: how a package is entered, and what its files are. */
function shapeOf({ type, exports, files, main, types, bin, sideEffects }) {
  return JSON.stringify({ type, exports, files, main, types, bin, sideEffects });
}

async function checkPackage(root, name, folder, isNew) {
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
  const unpacked = await run(["tar", "-xzf", path, "-C", folder]);
  const files = listFiles(join(folder, "package"), "", new Set());
  const judges = [
    ["publint", "run", path, "--strict"],
    // Every mode of module resolution. That CommonJS gets ES modules is meant: Node ≥ 20.19 loads them with require().
    ["attw", path, "--ignore-rules", "cjs-resolves-to-esm", "--no-emoji"],
  ];
  const judged = [];
  if (isNew(shapeOf(manifest))) for (const judge of judges) judged.push(...(await run(judge)));
  return [
    ...judged,
    ...unpacked,
    ...(await checkContents(manifest, join(folder, "package"), files)),
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
    if (!existsSync(installed)) continue;
    await mkdir(dirname(join(modules, dependency)), { recursive: true });
    await symlink(installed, join(modules, dependency));
  }
  const code = `await import(${JSON.stringify(name)})`;
  const { failed, output } = await runCommand(["node", "--input-type=module", "-e", code], {
    cwd: join(folder, "app"),
  });
  return failed ? [`${name}: cannot be imported beside core alone\n${output.trim()}`] : [];
}

/** What is in the tarball: all that belongs there, nothing else. */
async function checkContents({ name, version }, folder, files) {
  const expected = version === "0.0.0" ? required : [...required, "CHANGELOG.md"];
  const missing = expected
    .filter((file) => !files.includes(file))
    .map((file) => `${name}: ${file} is not in the tarball`);
  const odd = files.filter((file) => !allowed.test(file) || /\.test\./.test(file));
  const manifest = await readFile(join(folder, "package.json"), "utf8");
  const unresolved = manifest.includes("workspace:") ? [`${name}: "workspace:" is in the tarball's package.json`] : [];
  return [...missing, ...odd.map((file) => `${name}: ${file} is in the tarball`), ...unresolved];
}

await runAsScript(import.meta, checkPackages);
