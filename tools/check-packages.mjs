// Packs every public package as for publishing and checks the tarball: publint, every mode of module resolution, no files that are
// only useful in this repository, and providers that work with core alone.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as attw from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { runAsScript } from "./report-problems.mjs";
import { runCommand } from "./run-command.mjs";
import { listFiles, packageNames } from "./source-files.mjs";

const required = ["package.json", "README.md", "LICENSE"];

/** All files that a tarball may contain, in addition to `files` of the database adapters. */
const allowed =
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/.+\.(?:js|d\.ts)|dist\/(?:errors\.md|warnings\.md|third-party-licenses\.txt)|prisma\/[\w.-]+\.(?:prisma|sql)|sql\/[\w.-]+\.sql)$/;

/**
 * Problems of the public packages below `root`, which must be built.
 *
 * publint and attw return the same result for packages whose manifests differ only in their texts. Without `everyPackage`, only the
 * first of them is checked.
 */
export async function checkPackages(root, { everyPackage = Boolean(process.env.CARDEA_TEST_LONG) } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "cardea-pack-"));
  try {
    const shapes = new Set();
    const isNew = (shape) => everyPackage || (!shapes.has(shape) && shapes.add(shape));
    const found = [];
    for (const name of packageNames(root)) found.push(...(await checkPackage(root, name, join(folder, name), isNew)));
    return [...found, ...(await importAlone(folder))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The parts of a package that publint and attw check: its entry points and its files. */
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
  const judged = isNew(shapeOf(manifest)) ? await judge(manifest.name, await readFile(path)) : [];
  const found = [...judged, ...unpacked, ...(await checkContents(manifest, join(folder, "package"), files))];
  if (name.startsWith("providers-")) await putAlone(root, manifest, source, folder);
  return found;
}

/** The problems that publint and attw find in a tarball, in every mode of module resolution. */
async function judge(name, bytes) {
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  const { types, problems = [] } = await attw.checkPackage(attw.createPackageFromTarballData(new Uint8Array(bytes)));
  // CommonJS gets ES modules on purpose: Node ≥ 20.19 loads them with require().
  const wrong = problems.filter(({ kind }) => kind !== "CJSResolvesToESM");
  return [
    ...messages.map((message) => `${name}: publint: ${formatMessage(message, pkg, { color: false })}`),
    ...(types ? [] : [`${name}: attw: it has no types`]),
    ...wrong.map((problem) => `${name}: attw: ${JSON.stringify(problem)}`),
  ];
}

/** The name of the file that imports a package in an application with core only. */
const IMPORT = "import-alone.mjs";

/** Creates an application with the packed package, core, and the package's dependencies only. */
async function putAlone(root, { name, dependencies = {} }, source, folder) {
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
  await writeFile(join(folder, "app", IMPORT), `import ${JSON.stringify(name)};\n`);
}

/** Imports each package in its own application; all in one process, which is as fast as a single import. */
async function importAlone(folder) {
  const files = listFiles(folder, "", new Set()).filter((path) => path.endsWith(IMPORT));
  const code = `for (const file of ${JSON.stringify(files)}) {
    await import(\`${folder}/\${file}\`).catch((error) => console.log(\`\${file}: \${error.stack}\`));
  }`;
  const { failed, output } = await runCommand(["node", "--input-type=module", "-e", code], { cwd: folder });
  const isGood = failed === 0 && output.trim() === "";
  return isGood ? [] : [`a provider cannot be imported beside core alone\n${output.trim()}`];
}

/** Checks that the tarball contains all required files and no others. */
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
