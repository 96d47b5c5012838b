// The names of all tests, read from the sources without running them.
import ts from "typescript";
import { listFiles, parseFile } from "./source-files.mjs";

const testFunctions = ["it", "test", "describe"];
const skipping = ["skip", "todo"]; // a test that never runs covers nothing

/** What looks like a number of a rule or a case; the page says which there are. */
export const numberPattern = /\b(?:spec \d+(?:\.\d+)?|[HRX]\d{2,3}|oidcc-client-test[a-z0-9-]*)(?!\w)/g;

/**
 * Every test and group of tests below `root`, in *.test.ts and *.test.tsx: `{ path, name, rows }`. `rows` are the strings
 * in the table of an `each` whose name has a place for them and that begin with a number. What is skipped for good is left
 * out.
 */
export function findTests(root) {
  const files = listFiles(root).filter((path) => /\.test\.tsx?$/.test(path));
  return files.flatMap((path) => testsOf(parseFile(root, path)));
}

/**
 * The names under which a test runs, as far as they can be read: its own, and that with each of its rows filled in, as
 * `{ name, numbers }`. `numbers` is the part in which its numbers stand.
 */
export function namesOf({ name, rows }) {
  return [{ name, numbers: name }, ...rows.map((row) => ({ name: fillIn(name, row), numbers: row }))];
}

/** The name of an `each` with one of its rows in the first of its places. */
function fillIn(name, row) {
  const [first, ...rest] = name.split(/%[a-z#]|\$[\w.]+/i);
  return `${first}${row}${rest.join("…")}`;
}

function testsOf(file) {
  const tests = [];
  const visit = (node) => {
    const call = ts.isCallExpression(node) ? readTestCall(node) : undefined;
    if (call?.skipped) return; // nor what is inside of it
    if (call) tests.push({ path: file.path, name: call.name, rows: rowsOf(file, call) });
    ts.forEachChild(node, visit);
  };
  visit(file.ast);
  return tests;
}

/** `it("name")`, `it.only("name")`, `it.each(table)("name")`: name, table and whether it is skipped; else undefined. */
function readTestCall(node) {
  const name = textOf(node.arguments[0]);
  if (name === undefined) return undefined;
  const { modifiers, base, table } = readCallee(node.expression);
  if (!testFunctions.includes(base)) return undefined;
  return { name, table, skipped: modifiers.some((modifier) => skipping.includes(modifier)) };
}

function readCallee(expression) {
  const modifiers = [];
  let table;
  for (let at = expression; ; ) {
    if (ts.isIdentifier(at)) return { modifiers, base: at.text, table };
    if (ts.isPropertyAccessExpression(at)) {
      modifiers.push(at.name.text);
      at = at.expression;
    } else if (ts.isCallExpression(at)) {
      table = at.arguments[0];
      at = at.expression;
    } else if (ts.isTaggedTemplateExpression(at)) {
      table = at.template;
      at = at.tag;
    } else return { modifiers, base: undefined, table };
  }
}

/** The text of a string or of a template, whose expressions become `…`; undefined for anything else. */
function textOf(node) {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join("");
}

function rowsOf(file, { name, table }) {
  if (!table || !/[%$]/.test(name)) return [];
  // Elsewhere in a row it would be data: hostile input holds all kinds of things.
  return stringsIn(file, table).filter((text) => text.search(numberPattern) === 0);
}

/** All strings below a node, and below the constants of the same file that it names. */
function stringsIn(file, node, seen = new Set()) {
  if (seen.has(node)) return [];
  seen.add(node);
  const text = textOf(node);
  const own = text === undefined ? [] : [text];
  const constant = ts.isIdentifier(node) ? constantOf(file, node.text) : undefined;
  const below = constant ? [constant] : [];
  ts.forEachChild(node, (child) => {
    below.push(child);
  });
  return [...own, ...below.flatMap((one) => stringsIn(file, one, seen))];
}

function constantOf(file, name) {
  const statements = file.ast.statements.filter(ts.isVariableStatement);
  const declarations = statements.flatMap((statement) => [...statement.declarationList.declarations]);
  return declarations.find((one) => ts.isIdentifier(one.name) && one.name.text === name)?.initializer;
}
