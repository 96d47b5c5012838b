/**
 * Changes core's sources, one small change at a time, and reports which changes its tests find (README.md). Run by hand, in a worktree
 * with installed dependencies and nothing uncommitted: `node mutants.mjs --root <worktree> --seed 34 --results <file>`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";

const { values } = parseArgs({
  options: {
    root: { type: "string", default: join(import.meta.dirname, "../..") },
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "60" },
    results: { type: "string", default: "mutants.json" },
    same: { type: "string" },
  },
});
const root = resolve(values.root);
const FOLDERS = ["protocol", "session", "flows/oauth", "users"].map((folder) => `packages/core/src/${folder}`);
/** Milliseconds that the tests of core may take; a mutant may loop forever. */
const MAX_TIME = 45 * 60 * 1000;
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
const sourcesIn = (folder) =>
  git("ls-files", `${folder}/*.ts`)
    .split("\n")
    .filter((file) => /^.+\/src\/.+(?<!\.test)\.ts$/.test(file));

const K = ts.SyntaxKind;
const SWAPPED = { "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===", "&&": "||", "||": "&&" };

const isCall = (node) => ts.isCallExpression(ts.isAwaitExpression(node) ? node.expression : node);

/** A value that code compares, sends or stores: no type, import, name of a member, or sentence for a reader. */
function isData(node) {
  const isNamed = node.parent.name === node || node.parent.moduleSpecifier === node;
  return (
    !isNamed &&
    !ts.isLiteralTypeNode(node.parent) &&
    !ts.isExternalModuleReference(node.parent) &&
    !node.text.includes(" ")
  );
}

/** The changes of one node, as `[kind, changed part, its new text]`. */
function* changesOf(node) {
  if (ts.isIfStatement(node)) yield ["negated condition", node.expression, `!(${node.expression.getText()})`];
  if (ts.isConditionalExpression(node)) yield ["negated condition", node.condition, `!(${node.condition.getText()})`];
  if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken)
    yield ["removed !", node, node.operand.getText()];
  if (ts.isBinaryExpression(node)) {
    const [from, isLogical] = [node.operatorToken.getText(), /^(?:&&|\|\|)$/.test(node.operatorToken.getText())];
    const text = `(${node.left.getText()}) ${SWAPPED[from]} (${node.right.getText()})`;
    if (from in SWAPPED) yield [isLogical ? "swapped && and ||" : "swapped comparison", node, text];
  }
  if ((ts.isReturnStatement(node) || ts.isThrowStatement(node)) && isInIf(node))
    yield ["removed early exit", node, ";"];
  if (ts.isExpressionStatement(node) && isCall(node.expression)) yield ["removed call", node, ";"];
  if (ts.isNumericLiteral(node) && !ts.isLiteralTypeNode(node.parent))
    yield ["changed literal", node, `(${node.getText()} + 1)`];
  if (ts.isStringLiteral(node) && isData(node)) yield ["changed literal", node, JSON.stringify(`${node.text}x`)];
  if (node.kind === K.TrueKeyword || node.kind === K.FalseKeyword) {
    if (!ts.isLiteralTypeNode(node.parent)) yield ["changed literal", node, String(node.kind === K.FalseKeyword)];
  }
}

const isInIf = ({ parent }) => ts.isIfStatement(parent) || (ts.isBlock(parent) && ts.isIfStatement(parent.parent));

/** Every mutant of a file. Function, kind, text and number identify it in any version, also if the function moved to another file. */
function mutantsOf(file) {
  const code = readFileSync(join(root, file), "utf8");
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const mutants = [];
  const visit = (node, path) => {
    const isFunction = ts.isFunctionLike(node) && node.body !== undefined;
    const name = isFunction ? (node.name ?? node.parent.name)?.getText() : undefined;
    const inner = name === undefined ? path : [...path, name];
    for (const [kind, part, replacement] of changesOf(node)) {
      const id = { function: inner.join("."), kind, text: part.getText() };
      const nth = mutants.filter((other) => isSame(other, { ...id, nth: other.nth })).length;
      const { line } = source.getLineAndCharacterOfPosition(part.getStart());
      mutants.push({ file, line: line + 1, ...id, nth, replacement, start: part.getStart(), end: part.end });
    }
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(source, []);
  return mutants;
}

const isSame = (one, other) => ["function", "kind", "text", "nth"].every((key) => one[key] === other[key]);

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % below;
  };
}

function groupsOf(mutants, key) {
  return [...new Set(mutants.map((one) => one[key]))].map((value) => mutants.filter((one) => one[key] === value));
}

/** As many from each folder, and from each kind of change as far as there are enough. */
function choose(seed, count) {
  const random = randomFrom(seed);
  const pools = FOLDERS.map((folder) => groupsOf(sourcesIn(folder).flatMap(mutantsOf), "kind"));
  return Array.from({ length: count }, (_, n) => {
    const kinds = pools[n % pools.length].filter((pool) => pool.length > 0);
    const pool = kinds[random(kinds.length)];
    return pool.splice(random(pool.length), 1)[0];
  });
}

/** The mutant in this version: in its file, in its former folders, or anywhere; undefined if its code no longer exists. */
function find(wanted) {
  const files = [
    existsSync(join(root, wanted.file)) ? [wanted.file] : [],
    FOLDERS.flatMap(sourcesIn),
    sourcesIn("packages"),
  ];
  for (const among of files) {
    for (const file of among) {
      const found = mutantsOf(file).find((one) => isSame(one, wanted));
      if (found !== undefined) return found;
    }
  }
}

/** Runs tests until one fails. Returns the files with failed tests, or why there are none. */
function failures(tests) {
  const folder = mkdtempSync(join(tmpdir(), "cardea-mutants-"));
  const report = join(folder, "report.json");
  const options = [
    "--project",
    "unit",
    "--bail",
    "1",
    "--reporter",
    "json",
    "--outputFile",
    report,
    "--passWithNoTests",
  ];
  const command = ["node_modules/vitest/vitest.mjs", "run", ...options, ...tests];
  const { status } = spawnSync("node", command, {
    cwd: root,
    stdio: "ignore",
    timeout: MAX_TIME,
    killSignal: "SIGKILL",
  });
  const results = existsSync(report) ? read(report).testResults : [];
  rmSync(folder, { recursive: true });
  if (status === 0) return [];
  const failed = results.filter((one) => one.status === "failed").map(({ name }) => name.slice(root.length + 1));
  return failed.length > 0 ? failed : [status === null ? "no end" : "an error outside of tests"];
}

/** Tests of the folder first, because they are fast and find most. A failure counts if its file fails again, alone. */
function judge({ file, start, end, replacement }) {
  const code = readFileSync(join(root, file), "utf8");
  try {
    writeFileSync(join(root, file), code.slice(0, start) + replacement + code.slice(end));
    const [by = failures(["packages/core/"])[0]] = failures([dirname(file)]);
    if (by === undefined) return { result: "survived" };
    return { result: by.endsWith(".ts") && failures([by]).length === 0 ? "unsure" : "killed", by };
  } finally {
    writeFileSync(join(root, file), code);
  }
}

if (failures(["packages/core/"]).length > 0) throw new Error("The tests of core must pass without a mutant.");
const chosen = values.same ? read(values.same).mutants : choose(Number(values.seed), Number(values.count));
const known = existsSync(values.results) ? read(values.results).mutants : [];
const mutants = [];
for (const { file, line, function: within, kind, text, nth } of chosen) {
  const wanted = { file, line, function: within, kind, text, nth };
  const found = find(wanted);
  const before = known.find((one) => isSame(one, wanted) && one.file === file);
  const outcome = before ?? { ...wanted, ...(found === undefined ? { result: "not found" } : judge(found)) };
  mutants.push(outcome);
  console.log(`${mutants.length} ${outcome.result}: ${outcome.file}:${outcome.line} ${outcome.kind}: ${outcome.text}`);
  writeFileSync(
    values.results,
    `${JSON.stringify({ commit: git("rev-parse", "HEAD").trim(), seed: values.seed, mutants }, null, 2)}\n`,
  );
}
const counts = groupsOf(mutants, "result").map((all) => `${all.length} ${all[0].result}`);
console.log(`${mutants.length} mutants: ${counts.join(", ")}`);
for (const one of mutants.filter(({ result }) => result === "survived"))
  console.log(`survived: ${one.file}:${one.line} ${one.kind}: ${one.text}`);
