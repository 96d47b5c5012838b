// Enforces the import rules of layer-table.mjs: allowed imports, no cycles, pure folders, thin framework adapters.
import ts from "typescript";
import { findCycles, importsOf, resolveRelative } from "./import-graph.mjs";
import { bindings, ceremonies, coreLayers, forbiddenGlobals, packageLayers } from "./layer-table.mjs";
import { runAsScript } from "./report-problems.mjs";
import { codeLines, isTest, packageNames, packageSources, place, walk } from "./source-files.mjs";

/** Problems of all packages below `root`, as `path:line what is wrong`. Tests are exempt from all but cycles. */
export function checkLayers(root) {
  return packageNames(root).flatMap((name) => {
    const files = packageSources(root, name);
    const sources = files.filter((file) => !file.test);
    return [
      ...checkCycles(files),
      ...sources.flatMap((file) => checkImports(name, file, new Set(files.map((other) => other.path)))),
      ...(name === "core" ? sources.flatMap(checkGlobals) : []),
      ...(bindings.packages.includes(name) ? sources.flatMap(checkThinness) : []),
      ...(name in bindings.lines ? checkLength(name, sources) : []),
    ];
  });
}

function checkCycles(files) {
  const targets = (file) => importsOf(file).flatMap(({ specifier }) => resolveRelative(file, specifier) ?? []);
  const graph = new Map(files.map((file) => [file.path, new Set(targets(file))]));
  return findCycles(graph).map((cycle) => `${cycle[0]}:1 imports itself in a circle: ${cycle.join(" → ")}`);
}

function checkImports(name, file, paths) {
  return importsOf(file).flatMap((found) => {
    const target = resolveRelative(file, found.specifier);
    const problem = target ? refuseRelative(name, file, target, paths) : refusePackage(name, file, found);
    return problem ? [`${place(file, found.node)} ${problem}`] : [];
  });
}

function refuseRelative(name, file, target, paths) {
  const src = `packages/${name}/src/`;
  if (!target.startsWith(src)) return `imports ${target}, outside of its package`;
  if (!paths.has(target)) return `imports ${target}, which is no source file (name it with its extension .ts)`;
  if (isTest(target)) return `imports the test ${target}`;
  return name === "core" ? refuseLayer(file.inside, target.slice(src.length)) : undefined;
}

/** Why a file of core may not import another one, both relative to its src; undefined if it may. */
function refuseLayer(from, to) {
  const [fromFolder, toFolder] = [folderOf(from), folderOf(to)];
  if (fromFolder === undefined) return undefined;
  if (!(fromFolder in coreLayers)) return `is in ${fromFolder}/, which the table does not know`;
  if (toFolder === undefined) return `imports ${to}: no folder imports the root`;
  if (fromFolder !== toFolder) {
    return coreLayers[fromFolder].imports.includes(toFolder) ? undefined : `imports ${to}: ${allowed(fromFolder)}`;
  }
  if (fromFolder === "actions" && from !== "actions/index.ts")
    return `imports ${to}: two actions never import each other`;
  const [one, other] = [ceremonyOf(from), ceremonyOf(to)];
  if (one && other && one !== other) return `imports ${to}: two ceremonies share only files that belong to none`;
  return undefined;
}

function folderOf(path) {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : undefined;
}

function ceremonyOf(path) {
  return ceremonies.find((ceremony) => path.startsWith(`flows/${ceremony}/`));
}

function allowed(folder) {
  return `${folder} may import ${coreLayers[folder].imports.join(", ") || "nothing"}`;
}

function refusePackage(name, file, { specifier, typeOnly }) {
  const packageName = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  if (name === "core") {
    const files = coreLayers[folderOf(file.inside)]?.packages[packageName];
    if (files?.test(file.inside)) return undefined;
    return files
      ? `imports ${specifier}: only files like ${files.source} may`
      : `imports ${specifier}: ${folderOf(file.inside) ?? "the root"} may not`;
  }
  if (!packageName.startsWith("@cardea/")) return undefined;
  if (packageName === "@cardea/testing") return `imports ${specifier}: it is for tests`;
  const row = packageLayers.find((layer) => layer.package.test(name));
  if (!row || row.values.includes(specifier) || (typeOnly && row.types.includes(specifier))) return undefined;
  const types = row.types.map((type) => `, types of ${type}`).join("");
  return `imports ${specifier}: ${name} may import ${row.values.join(", ")}${types}`;
}

/** Finds globals that a folder of core must not use: see `forbiddenGlobals`. */
function checkGlobals(file) {
  const rule = forbiddenGlobals[folderOf(file.inside)];
  const problems = [];
  if (!rule) return problems;
  walk(file.ast, (node) => {
    if (!ts.isIdentifier(node) || isOnlyName(node)) return;
    const type = isInType(node);
    const member = ts.isPropertyAccessExpression(node.parent) ? `${node.text}.${node.parent.name.text}` : node.text;
    const name = [node.text, member].find((text) => (type ? rule.types : rule.values).includes(text));
    if (name)
      problems.push(`${place(file, node)} names ${name}: ${folderOf(file.inside)} is a function of its arguments`);
  });
  return problems;
}

/** Whether a name is that of a property or a declaration: `a.Date`, `{ Date: 1 }`, `function f(fetch)`. */
function isOnlyName(node) {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return false;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isQualifiedName(parent)) {
    return parent.left !== node;
  }
  return parent.name === node || parent.propertyName === node;
}

function isInType(node) {
  let { parent } = node;
  while (ts.isQualifiedName(parent) || ts.isPropertyAccessExpression(parent)) parent = parent.parent;
  if (ts.isExpressionWithTypeArguments(parent) && ts.isHeritageClause(parent.parent)) {
    const clause = parent.parent;
    return ts.isInterfaceDeclaration(clause.parent) || clause.token === ts.SyntaxKind.ImplementsKeyword;
  }
  return ts.isTypeNode(parent);
}

/** A framework adapter with more lines does more than translate, or repeats code of others. */
function checkLength(name, sources) {
  const [lines, limit] = [sources.reduce((sum, { ast }) => sum + codeLines(ast), 0), bindings.lines[name]];
  if (lines < limit) return [];
  return [`packages/${name}/src has ${lines} lines of code, not fewer than ${limit}: move what bindings share to core`];
}

/** Finds words of the protocol in a framework adapter, except in re-exports from core. */
function checkThinness(file) {
  const problems = [];
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || (ts.isExportDeclaration(node) && node.moduleSpecifier)) return;
    const word = (ts.isIdentifier(node) || ts.isStringLiteralLike(node) || isTemplatePart(node)) && tellingWord(node);
    if (word) problems.push(`${place(file, node)} mentions ${word}: a binding translates and decides nothing`);
    ts.forEachChild(node, visit);
  };
  visit(file.ast);
  return problems;
}

function isTemplatePart(node) {
  return ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
}

function tellingWord(node) {
  if (ts.isIdentifier(node) && bindings.names.includes(node.text)) return node.text;
  const words = node.text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return words.find((word) => bindings.words.includes(word.toLowerCase()));
}

await runAsScript(import.meta, checkLayers);
