// The main function of every check script.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { argv } from "node:process";

/**
 * If `meta` belongs to the script that Node.js was started with, runs a check on this repository: prints its notes and problems, and
 * fails if there is a problem. A check takes the root of a tree and returns problems, or `{ problems, notes, texts }`.
 *
 * `texts` are committed files that are generated from others: path → text, or undefined for a file that must not exist. A difference
 * is a problem; with `--write` it is written instead.
 */
export async function runAsScript(meta, check) {
  if (argv[1] !== meta.filename) return;
  const root = dirname(meta.dirname);
  const result = await check(root);
  const { problems, notes = [], texts = {} } = Array.isArray(result) ? { problems: result } : result;
  const outdated = Object.entries(texts).filter(([path, text]) => text !== committedText(root, path));
  const write = argv.includes("--write");
  if (write) for (const [path, text] of outdated) writeText(join(root, path), text);
  const remedy = `is out of date: node ${relative(root, meta.filename)} --write`;
  const differences = write ? [] : outdated.map(([path, text]) => `${path}:1 ${remedy}${newLines(root, path, text)}`);
  for (const line of notes) console.log(line);
  for (const line of [...problems, ...differences]) console.error(line);
  if (problems.length + differences.length > 0) process.exitCode = 1;
}

function committedText(root, path) {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
}

function writeText(path, text) {
  if (text === undefined) return rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function newLines(root, path, text = "") {
  const committed = committedText(root, path)?.split("\n") ?? [];
  const lines = text.split("\n").filter((line) => !committed.includes(line));
  return lines
    .slice(0, 20)
    .map((line) => `\n  + ${line}`)
    .join("");
}
