// Packs every public package as for publishing and checks the tarball: publint, every mode of module resolution, no files that are
// only useful in this repository, and providers that work with core alone.
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import * as attw from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { runAsScript } from "./report-problems.mjs";
import { runCommand } from "./run-command.mjs";
import { packageNames, readJson } from "./source-files.mjs";

const required = ["package.json", "README.md", "AGENTS.md", "LICENSE"];

/** All files that a tarball may contain, in addition to `files` of the database adapters. */
const allowed =
  /^(?:package\.json|(?:README|AGENTS|CHANGELOG)\.md|LICENSE|dist\/.+\.(?:js|d\.ts)|dist\/(?:docs\/(?:[\w-]+\.md|llms\.txt)|skills\/cardea\/SKILL\.md|third-party-licenses\.txt)|prisma\/[\w.-]+\.(?:prisma|sql)|sql\/[\w.-]+\.sql)$/;

/** Packs and unpacks every package into a folder of its name. */
const PACK = `pnpm --recursive --filter "./packages/*" pack --pack-destination "$FOLDER" >&2 &&
for tarball in "$FOLDER"/*.tgz; do mkdir "\${tarball%.tgz}" && tar -xzf "$tarball" -C "\${tarball%.tgz}"; done`;

/** Problems of the public packages below `root`, which must be built. */
async function checkPackages(root) {
  const folder = await mkdtemp(join(tmpdir(), "cardea-pack-"));
  try {
    const { failed, output } = await runCommand(["sh", "-ec", PACK], { cwd: root, env: { FOLDER: folder } });
    if (failed) return [output];
    const found = [];
    const shapes = new Set();
    for (const name of packageNames(root)) found.push(...(await checkPackage(root, name, folder, shapes)));
    return [...found, ...(await importAlone(folder))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkPackage(root, name, folder, shapes) {
  const source = join(root, "packages", name);
  const manifest = readJson(source, "package.json");
  const packed = join(folder, `${manifest.name.slice(1).replace("/", "-")}-${manifest.version}`);
  if (!existsSync(packed)) return [`${manifest.name}: no tarball`];
  const found = await checkContents(manifest, join(packed, "package"));
  // publint and attw return the same result for packages whose manifests differ only in their texts. Before a release, all are checked.
  const { type, exports, files, main, types, bin, sideEffects } = manifest;
  const shape = JSON.stringify({ type, exports, files, main, types, bin, sideEffects });
  const isNew = process.env.CARDEA_TEST_LONG || !shapes.has(shape);
  shapes.add(shape);
  if (isNew) found.push(...(await judge(manifest.name, await readFile(`${packed}.tgz`))));
  if (name.startsWith("providers-")) await putAlone(root, manifest, source, packed);
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
async function putAlone(root, { name, dependencies = {} }, source, packed) {
  const modules = join(packed, "node_modules");
  await mkdir(join(modules, "@cardea"), { recursive: true });
  await rename(join(packed, "package"), join(modules, name));
  await symlink(join(root, "packages", "core"), join(modules, "@cardea", "core"));
  for (const dependency of Object.keys(dependencies).filter((dependency) => dependency !== "@cardea/core")) {
    const installed = join(source, "node_modules", dependency);
    if (!existsSync(installed)) continue;
    await mkdir(dirname(join(modules, dependency)), { recursive: true });
    await symlink(installed, join(modules, dependency));
  }
  await writeFile(join(packed, IMPORT), `import ${JSON.stringify(name)};\n`);
}

/** Imports each package in its own application; all in one process, which is as fast as a single import. */
async function importAlone(folder) {
  const files = readdirSync(folder).map((name) => join(folder, name, IMPORT));
  const code = `for (const file of ${JSON.stringify(files.filter(existsSync))}) {
    await import(file).catch((error) => console.log(\`\${file}: \${error.stack}\`));
  }`;
  const { failed, output } = await runCommand(["node", "--input-type=module", "-e", code], { cwd: folder });
  const isGood = failed === 0 && output.trim() === "";
  return isGood ? [] : [`a provider cannot be imported beside core alone\n${output.trim()}`];
}

/** Checks that the tarball contains all required files and no others. */
async function checkContents({ name, version }, folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const expected = version === "0.0.0" ? required : [...required, "CHANGELOG.md"];
  const missing = expected.filter((file) => !files.includes(file));
  const odd = files.filter((file) => !allowed.test(file) || /\.test\./.test(file));
  const isResolved = !(await readFile(join(folder, "package.json"), "utf8")).includes("workspace:");
  return [
    ...missing.map((file) => `${name}: ${file} is not in the tarball`),
    ...odd.map((file) => `${name}: ${file} is in the tarball`),
    ...(isResolved ? [] : [`${name}: "workspace:" is in the tarball's package.json`]),
  ];
}

await runAsScript(import.meta, checkPackages);
