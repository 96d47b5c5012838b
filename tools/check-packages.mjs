// Packs every public package as it would be published, and looks at the tarball as an application would. The list of files in
// each is committed in published/files.txt.
//
//   node scripts/check-packages.mjs            fails when a tarball is unsound or the list is out of date
//   node scripts/check-packages.mjs --write    writes the list
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { compareTexts, writeTexts } from "./committed-texts.mjs";
import { runAsScript } from "./report-problems.mjs";
import { runCommand } from "./run-command.mjs";
import { listFiles, packageNames } from "./source-files.mjs";

// pnpm, publint and attw wait for the disk half of the time; another step runs beside this one.
const workers = 3;

const required = ["package.json", "README.md", "LICENSE"];

const listPath = "published/files.txt";

/** Problems of the public packages below `root`, which must be built. */
export async function checkPackages(root) {
  const { problems, files } = await packAll(root);
  return [...problems, ...compareTexts(root, files, "node scripts/check-packages.mjs --write")];
}

/** Writes the list of files; what remains is what is wrong with the tarballs. */
export async function writePackages(root) {
  const { problems, files } = await packAll(root);
  writeTexts(root, files);
  return problems;
}

async function packAll(root) {
  const folder = await mkdtemp(join(tmpdir(), "cardea-pack-"));
  try {
    const names = packageNames(root);
    const found = names.map(() => ({ problems: [], files: [] }));
    const work = names.entries();
    const worker = async () => {
      for (const [index, name] of work) found[index] = await checkPackage(root, name, join(folder, name));
    };
    await Promise.all(Array.from({ length: workers }, worker));
    const list = found.flatMap(({ files }, index) => (files.length > 0 ? [describeFiles(names[index], files)] : []));
    return { problems: found.flatMap(({ problems }) => problems), files: { [listPath]: list.join("\n") } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A package's files, without what changes with every build: the hash in a name, and how many pieces a bundle is cut into. */
function describeFiles(name, files) {
  const stable = files
    .filter((file) => file !== "CHANGELOG.md") // there from the first version on
    .map((file) => file.replace(/-(?=[^/]*[A-Z\d])[A-Za-z\d_-]{8}(?=\.(?:d\.ts|js)$)/, "-[hash]"));
  return `${name}\n${[...new Set(stable)].map((file) => `  ${file}\n`).join("")}`;
}

async function checkPackage(root, name, folder) {
  const source = join(root, "packages", name);
  const manifest = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
  if (manifest.private) return { problems: [], files: [] };
  const run = async (command) => {
    const { failed, output } = await runCommand(command, { cwd: source });
    return failed ? [`${manifest.name}: ${command.join(" ")}\n${output.trim()}`] : [];
  };
  const packed = await run(["pnpm", "pack", "--pack-destination", folder]);
  const [tarball] = listFiles(folder);
  if (packed.length > 0 || !tarball) {
    return { problems: [...packed, ...(tarball ? [] : [`${manifest.name}: no tarball`])], files: [] };
  }
  const path = join(folder, tarball);
  const unpacked = await run(["tar", "-xzf", path, "-C", folder]);
  const files = listFiles(join(folder, "package"), "", new Set());
  const problems = [
    ...(await run(["publint", "run", path, "--strict"])),
    // Every mode of module resolution. That CommonJS gets ES modules is meant: Node ≥ 20.19 loads them with require().
    ...(await run(["attw", path, "--ignore-rules", "cjs-resolves-to-esm", "--no-emoji"])),
    ...unpacked,
    ...(await checkContents(manifest, join(folder, "package"), files)),
    ...(name.startsWith("providers-") ? await checkAlone(root, manifest, source, folder) : []),
  ];
  return { problems, files };
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

/** What is in the tarball: all that belongs there, nothing that only makes sense in this repository. */
async function checkContents({ name, version }, folder, files) {
  const expected = version === "0.0.0" ? required : [...required, "CHANGELOG.md"];
  const missing = expected
    .filter((file) => !files.includes(file))
    .map((file) => `${name}: ${file} is not in the tarball`);
  const tests = files.filter((file) => /\.test\./.test(file)).map((file) => `${name}: ${file} is in the tarball`);
  const manifest = await readFile(join(folder, "package.json"), "utf8");
  return [...missing, ...tests, ...(manifest.includes("workspace:") ? [`${name}: workspace: is in the tarball`] : [])];
}

await runAsScript(import.meta, argv.includes("--write") ? writePackages : checkPackages);
