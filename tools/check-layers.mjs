// Enforces the import rules of layer-table.mjs: allowed imports, no cycles, pure folders, thin framework adapters.
import { transformSync } from "rolldown/utils";
import * as table from "./layer-table.mjs";
import { isTest, readSources, withoutParts } from "./read-sources.mjs";
import { runAsScript } from "./report-problems.mjs";
import { packageNames } from "./source-files.mjs";

/** Problems of all packages below `root`, as `path:line what is wrong`. Of tests: cycles, and imports of sources that may move. */
export function checkLayers(root) {
  return packageNames(root).flatMap((name) => {
    const files = readSources(root, name);
    const isOfTests = ({ path, inside }) => isTest(path) || (name !== "testing" && isTestSource(`${name}/${inside}`));
    const tests = [...files.filter(isOfTests), ...readSources(root, name, "test")];
    const sources = files.filter((file) => !isOfTests(file));
    const paths = files.map(({ path }) => path);
    return [
      ...findCycles(files).map((cycle) => `${cycle[0]}:1 imports itself in a circle: ${cycle.join(" → ")}`),
      ...sources.flatMap((file) => checkImports(name, file, paths)),
      ...tests.flatMap((file) => checkTestImports(name, file)),
      ...(name === "core" ? sources.flatMap(checkGlobals) : []),
      ...(table.bindings.packages.includes(name) ? sources.flatMap(checkThinness) : []),
      ...(name in table.bindings.lines ? checkLength(name, sources) : []),
    ];
  });
}

/** Whether only tests use a file. */
const isTestSource = (path) => table.testSources.some((sources) => sources.test(path));

const place = ({ path, code }, position) => `${path}:${code.slice(0, position).split("\n").length}`;

/** Cycles among the files: one list of paths for each, which ends with its first one. */
function findCycles(files) {
  const graph = new Map(files.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
  const [cycles, done, trail] = [[], new Set(), []];
  const visit = (path) => {
    const seen = trail.indexOf(path);
    if (seen >= 0) cycles.push([...trail.slice(seen), path]);
    if (seen >= 0 || done.has(path)) return;
    trail.push(path);
    for (const next of graph.get(path) ?? []) visit(next);
    trail.pop();
    done.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return cycles;
}

function checkImports(name, file, paths) {
  return file.imports.flatMap((found) => {
    const problem = found.target ? refuseRelative(name, file, found.target, paths) : refusePackage(name, file, found);
    return problem ? [`${place(file, found.start)} imports ${found.target ?? found.specifier}: ${problem}`] : [];
  });
}

function refuseRelative(name, file, target, paths) {
  const src = `packages/${name}/src/`;
  if (!target.startsWith(src)) return "it is outside of its package";
  if (!paths.includes(target)) return "there is no such source file (name it with its extension .ts)";
  if (isTest(target)) return "it is a test";
  return name === "core" ? refuseLayer(file.inside, target.slice(src.length)) : undefined;
}

/** Why a file of core may not import another one, both relative to its src; undefined if it may. */
function refuseLayer(from, to) {
  const [fromFolder, toFolder] = [folderOf(from), folderOf(to)];
  if (fromFolder === undefined) return undefined;
  const part = table.partOf(to);
  if (table.closedParts.includes(part) && table.partOf(from) === "kernel")
    return `the kernel imports nothing of ${part}`;
  if (!(fromFolder in table.coreLayers)) return `the table has no folder ${fromFolder}`;
  if (toFolder === undefined) return "no folder imports the root";
  if (fromFolder !== toFolder) {
    const allowed = table.coreLayers[fromFolder];
    return allowed.includes(toFolder) ? undefined : `${fromFolder} may import ${allowed.join(", ") || "nothing"}`;
  }
  if (fromFolder === "actions" && from !== "actions/handlers.ts" && to !== "actions/routes.ts")
    return "two actions never import each other";
  return undefined;
}

/** Tests use public entries, so that sources can move without them; a unit test stands beside the file that it tests. */
function checkTestImports(name, file) {
  return file.imports.flatMap(({ target = "", start }) => {
    const [, owner, inside] = /^packages\/([^/]+)\/src\/(.+)$/.exec(target) ?? [];
    if (owner === undefined || (owner === name && !file.path.startsWith("packages/core/test/"))) return [];
    if (owner !== name && isTestSource(`${owner}/${inside}`)) return [];
    return [`${place(file, start)} imports ${target}: import an entry of @cardea/${owner}, or test the file beside it`];
  });
}

const folderOf = (path) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : undefined);

function refusePackage(name, file, { specifier, typeOnly }) {
  const packageName = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  if (name === "core") {
    const files = table.corePackages[packageName];
    if (files?.test(file.inside)) return undefined;
    return files ? `only files like ${files.source} may` : "core does not depend on it";
  }
  if (!packageName.startsWith("@cardea/")) return undefined;
  if (packageName === "@cardea/testing") return "it is for tests";
  const owner = table.privateEntries[specifier];
  if (owner !== undefined && owner !== name) return `it is for @cardea/${owner}`;
  const row = table.packageLayers.find((layer) => layer.package.test(name));
  if (!row || row.values.includes(specifier) || (typeOnly && row.types.includes(specifier))) return undefined;
  return `${name} may import ${[...row.values, ...row.types.map((type) => `types of ${type}`)].join(", ")}`;
}

/** As values or types; not as names of properties. */
const OUTSIDE_WORLD = new RegExp(`(?<![-.\\w$])(?:${table.outsideWorld.join("|")})\\b(?!\\??:)`, "g");

/** Finds globals that a folder of core must not use. */
function checkGlobals(file) {
  const rule = table.pureFolders[folderOf(file.inside)];
  if (!rule) return [];
  const code = rule.types ? file.code : transformSync(file.path, file.code).code;
  return [...code.matchAll(OUTSIDE_WORLD)].map(({ 0: global, index }) => {
    const where = rule.types ? place(file, index) : `${file.path}:1`;
    return `${where} names ${global}: ${folderOf(file.inside)} is a function of its arguments`;
  });
}

/** A framework adapter with more lines does more than translate, or repeats code of others. */
function checkLength(name, sources) {
  const lines = sources.flatMap(({ code }) => code.split("\n").filter((line) => line.trim() !== "")).length;
  const limit = table.bindings.lines[name];
  if (lines < limit) return [];
  return [`packages/${name}/src has ${lines} lines of code, not fewer than ${limit}: move what bindings share to core`];
}

/** Finds words of the protocol in a framework adapter, except in imports and re-exports. */
function checkThinness(file) {
  const code = withoutParts(file.code, file.imports);
  return [...code.matchAll(/[\w$]+/g)].flatMap(({ 0: name, index }) => {
    const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
    const isTelling = words.some((word) => table.bindings.words.includes(word.toLowerCase()));
    if (!isTelling && !table.bindings.names.includes(name)) return [];
    return [`${place(file, index)} mentions ${name}: a binding translates and decides nothing`];
  });
}

await runAsScript(import.meta, checkLayers);
