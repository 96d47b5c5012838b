// Generates docs/errors.md: every error of core with its meaning, the page it leads to, and its remedy. The message of each error
// links to its section.
//
//   node tools/docs-errors.mjs            fails if the page is out of date, or an error has no remedy or outcome
//   node tools/docs-errors.mjs --write    writes the page first
//
// The classes, their comments and the table of outcomes come from the sources of core. docs/errors/remedies.json is written by hand:
// `cause` and `remedy` of each `type`, and `answer` if the row of the table is not the whole response. An `answer` that names a page
// and a value must name those of the row.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import ts from "typescript";
import { runAsScript } from "./report-problems.mjs";
import { parseFile, walk } from "./source-files.mjs";

const page = "docs/errors.md";
const remediesPath = "docs/errors/remedies.json";
const classPaths = ["packages/core/src/model/auth-error.ts", "packages/core/src/model/errors.ts"];
const outcomePath = "packages/core/src/response/error-outcome.ts";

/** Problems of the tree below `root`: errors without remedy or outcome, remedies or outcomes without an error, an outdated page. */
export function checkDocsErrors(root) {
  const { problems, text } = readErrors(root);
  const current = existsSync(join(root, page)) ? readFileSync(join(root, page), "utf8") : "";
  return current === text ? problems : [...problems, `${page}:1 is out of date: node tools/docs-errors.mjs --write`];
}

/** Writes the page; returns the remaining problems. */
export function writeDocsErrors(root) {
  const { problems, text } = readErrors(root);
  writeFileSync(join(root, page), text);
  return problems;
}

function readErrors(root) {
  const classes = classPaths.flatMap((path) => readClasses(parseFile(root, path)));
  const remedies = JSON.parse(readFileSync(join(root, remediesPath), "utf8"));
  const outcomes = readOutcomes(parseFile(root, outcomePath));
  const problems = [
    ...classes.filter(({ comment }) => !comment).map(({ type }) => `${classPaths[1]}:1 ${type} has no doc comment`),
    ...compare(classes, Object.keys(remedies), remediesPath),
    ...compare(classes, [...outcomes.keys()], outcomePath),
  ];
  for (const [type, { answer }] of Object.entries(remedies)) {
    const row = outcomes.get(type);
    const named = row && answerOf({ outcome: row }).replace(/`$/, "");
    if (answer?.includes("error=") && !answer.includes(named)) {
      problems.push(`${remediesPath}:1 ${type}: its answer does not name what its outcome does: ${named}`);
    }
  }
  for (const [type, remedy] of Object.entries(remedies)) {
    const others = Object.keys(remedy).filter((name) => !["cause", "remedy", "answer"].includes(name));
    if (others.length > 0)
      problems.push(`${remediesPath}:1 ${type} has ${others.join(", ")}, which the table of outcomes says`);
  }
  const errors = classes.map((one) => ({ ...one, ...remedies[one.type], outcome: outcomes.get(one.type) }));
  errors.sort((a, b) => (a.type < b.type ? -1 : 1));
  return { problems, text: render(errors.filter((error) => error.remedy && error.outcome)) };
}

function compare(classes, types, path) {
  const known = new Set(classes.map(({ type }) => type));
  return [
    ...[...known].filter((type) => !types.includes(type)).map((type) => `${path}:1 has nothing for ${type}`),
    ...types.filter((type) => !known.has(type)).map((type) => `${path}:1 names ${type}, which is no error class`),
  ];
}

/** Name, `type` and comment of each error class. */
function readClasses(file) {
  const classes = [];
  walk(file.ast, (node) => {
    if (!ts.isClassDeclaration(node) || !node.name) return;
    const property = node.members.find((member) => ts.isPropertyDeclaration(member) && isStaticType(member));
    const type = property && literalOf(property.initializer);
    if (type) classes.push({ type, name: node.name.text, comment: commentOf(node) });
  });
  return classes;
}

function isStaticType(member) {
  const isStatic = member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
  return isStatic && ts.isIdentifier(member.name) && member.name.text === "type";
}

function commentOf(node) {
  const text = ts.getTextOfJSDocComment(node.jsDoc?.at(-1)?.comment) ?? "";
  return text.replace(/\s+/g, " ").replace(/ \(spec [\d.]+\)/g, "");
}

/** The rows of ERROR_OUTCOMES: type → page, value of `error`, status, level of the log. */
function readOutcomes(file) {
  const outcomes = new Map();
  walk(file.ast, (node) => {
    if (!ts.isVariableDeclaration(node) || node.name.getText() !== "ERROR_OUTCOMES") return;
    walk(node.initializer, (row) => {
      if (!ts.isPropertyAssignment(row) || !ts.isCallExpression(row.initializer)) return;
      const [error, status, log] = row.initializer.arguments.map(literalOf);
      outcomes.set(row.name.getText(), { page: row.initializer.expression.getText(), error, status, log });
    });
  });
  return outcomes;
}

/** The value of a string or number, `as const` or not. */
function literalOf(node) {
  const bare = node && ts.isAsExpression(node) ? node.expression : node;
  return bare && ts.isLiteralExpression(bare) ? bare.text : undefined;
}

const introduction = `# Errors

All errors of the library, with causes and remedies. This page is generated by \`node tools/docs-errors.mjs --write\` from the
error classes, the table of responses and \`docs/errors/remedies.json\`. Do not edit it.

All error classes are exported from \`@cardea/core/errors\` and extend \`AuthError\`. \`type\` identifies an error, in code and in the log.
\`isAuthError(value)\` also recognizes errors from another installed copy of the library. The message and \`cause\` are only for the log; visitors see
nothing but the value of \`error\`.

Browsers are redirected to the page. Other clients receive the status from the session route, and the URL of the page if they
send \`X-Auth-Return-Redirect\`. At level \`error\` the whole error is logged, at \`warn\` and \`debug\` one line.`;

const pages = { signin: "sign-in page", errorPage: "error page" };

function render(errors) {
  const rows = errors.map((error) => {
    const { type, outcome } = error;
    const cells = [
      `[${type}](#${type.toLowerCase()})`,
      answerOf(error),
      error.answer ? "" : outcome.status,
      outcome.log,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const table = ["| error | response | status | log |", "|---|---|---|---|", ...rows].join("\n");
  return `${[introduction, table, ...errors.map(renderError)].join("\n\n")}\n`;
}

function answerOf({ answer, outcome }) {
  const value = outcome.error === undefined ? "without a value" : `\`error=${outcome.error}\``;
  return answer ?? `${pages[outcome.page]}, ${value}`;
}

/** The heading is the `type`, because messages link to its anchor. */
function renderError({ type, name, comment, cause, remedy }) {
  const className = name === type ? "" : ` Its class is \`${name}\`.`;
  return [`## ${type}`, `${comment}${className}`, `**Cause:** ${cause}`, `**What to do:** ${remedy}`].join("\n\n");
}

await runAsScript(import.meta, argv.includes("--write") ? writeDocsErrors : checkDocsErrors);
