// The rules of the house that a machine can see, over the sources of all packages and over these scripts.
import { basename } from "node:path";
import ts from "typescript";
import { runAsScript } from "./report-problems.mjs";
import { lineOf, listFiles, packageNames, packageSources, parseFile, place, walk } from "./source-files.mjs";

const maxFileLines = 250;
const maxFunctionLines = 60;
const goodFunctionLines = 40; // what the house aims at; longer ones are noted
const maxCasts = 3; // per file, outside of parsers
const vagueNames = ["util", "utils", "helper", "helpers", "common"];

/** `{ problems, notes }` of the tree below `root`; a note is something to look at that does not fail. */
export function checkRules(root) {
  const scripts = listFiles(root, "scripts").map((path) => parseFile(root, path));
  const packages = packageNames(root).flatMap((name) => packageSources(root, name));
  const found = { problems: checkNames(root), notes: [] };
  for (const file of [...packages, ...scripts]) {
    if (file.test) continue;
    checkSyntax(file, found.problems);
    checkLengths(file, found);
    checkCasts(file, found);
  }
  return found;
}

/** A name that says nothing collects what belongs nowhere. */
function checkNames(root) {
  const sources = listFiles(root).filter((path) => /\.[cm]?[jt]sx?$/.test(path));
  return sources.flatMap((path) => {
    const vague = path.split("/").find((part) => vagueNames.includes(part.replace(/\..*$/, "").toLowerCase()));
    return vague ? [`${path}:1 is called ${vague}: name a file after what it holds`] : [];
  });
}

/** What is refused wherever it stands: the kind of node, and what to say. */
const refusals = [
  [(node) => node.kind === ts.SyntaxKind.AnyKeyword, "says any: take unknown and narrow it"],
  [ts.isNonNullExpression, "says `!`: check for undefined instead"],
  [(node) => ts.isPropertyDeclaration(node) && node.exclamationToken, "says `!`: give the property a value"],
  [(node) => ts.isVariableDeclaration(node) && node.exclamationToken, "says `!`: give the variable a value"],
  [ts.isEnumDeclaration, "is an enum: take a union of literals"],
  [(node) => ts.isModuleDeclaration(node) && ts.isIdentifier(node.name), "is a namespace: take a module"],
  [
    (node) => ts.isCatchClause(node) && node.block.statements.length === 0,
    "catches and does nothing: say what follows",
  ],
];

function checkSyntax(file, problems) {
  walk(file.ast, (node) => {
    for (const [refused, why] of refusals) if (refused(node)) problems.push(`${place(file, node)} ${why}`);
  });
  // Written in two parts, or this line would refuse itself.
  for (const match of file.ast.text.matchAll(new RegExp("@ts-" + "(?:ignore|expect-error|nocheck)", "g"))) {
    problems.push(`${file.path}:${lineOf(file, match.index)} says ${match[0]}: make the types right`);
  }
}

function checkLengths(file, { problems, notes }) {
  const lines = file.ast.text.trimEnd().split("\n").length;
  if (lines > maxFileLines) problems.push(`${file.path}:1 has ${lines} lines; at most ${maxFileLines}`);
  walk(file.ast, (node) => {
    if (!ts.isFunctionLike(node) || !node.body) return;
    const length = lineOf(file, node.end) - lineOf(file, node.getStart(file.ast)) + 1;
    const said = `${place(file, node)} ${functionName(node) ?? "a function"} has ${length} lines`;
    if (length > maxFunctionLines) problems.push(`${said}; at most ${maxFunctionLines}`);
    else if (length > goodFunctionLines) notes.push(`note: ${said}; the house aims at ${goodFunctionLines}`);
  });
}

/** Casts belong in parsers, where unknown becomes typed. Elsewhere a few are noted, many refused. */
function checkCasts(file, { problems, notes }) {
  if (basename(file.path).startsWith("parse-")) return;
  const casts = [];
  walk(file.ast, (node) => {
    if (isCast(node) && !isInParser(node)) casts.push(`${place(file, node)} casts to ${node.type.getText(file.ast)}`);
  });
  if (casts.length > maxCasts) problems.push(...casts.map((said) => `${said}; one of ${casts.length} in this file`));
  else notes.push(...casts.map((said) => `note: ${said}; casts belong in parsers`));
}

function isCast(node) {
  if (ts.isTypeAssertionExpression(node)) return true;
  return ts.isAsExpression(node) && !ts.isConstTypeReference(node.type);
}

function isInParser(node) {
  for (let at = node.parent; at; at = at.parent) {
    if (ts.isFunctionLike(at) && functionName(at)?.startsWith("parse")) return true;
  }
  return false;
}

/** The name of a function, or of the constant or property that holds it. */
function functionName(node) {
  const named = node.name ?? (ts.isFunctionDeclaration(node) ? undefined : node.parent?.name);
  return named && ts.isIdentifier(named) ? named.text : undefined;
}

await runAsScript(import.meta, checkRules);
