// Runs TypeScript 7, which takes a third of the time of the compiler with a JavaScript API.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCommand } from "./run-command.mjs";

const root = dirname(import.meta.dirname);

const tsc = ["node", join(root, "node_modules/typescript-7/bin/tsc"), "--pretty", "false"];

/**
 * Runs the compiler with the given arguments. Garbage collection is rare, because most of its memory is in use until it exits. Several
 * `checkers` end sooner on idle processors, but take more time of them: each checks a part of the files and all that these import.
 */
export const runTsc = (args, { checkers = 1, ...options } = {}) =>
  runCommand([...tsc, "--checkers", String(checkers), ...args], { ...options, env: { GOGC: "400" } });

/**
 * Compiles `files` (absolute paths) with the options of tsconfig.json, overridden by `compilerOptions`. Resolves to the problems as
 * `{ file, line, text }`. A problem without a file has the whole output as its text.
 */
export async function compile({ compilerOptions, files }) {
  const folder = await mkdtemp(join(tmpdir(), "cardea-tsc-"));
  try {
    const config = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: { typeRoots: [join(root, "node_modules/@types")], ...compilerOptions },
      ...{ include: [], files },
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const { failed, output } = await runTsc(["-p", folder], { cwd: "/" });
    const problems = failed ? readProblems(output) : [];
    return failed && problems.length === 0 ? [{ file: "", line: 1, text: output }] : problems;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `file(line,column): error TS1: text`, followed by indented lines that continue the text. */
function readProblems(output) {
  return [...output.matchAll(/^(\S.*?)\((\d+),\d+\): (error .*(?:\n[ \t]+.*)*)/gm)].map(([, file, line, text]) => ({
    file: file.startsWith("/") ? file : `/${file}`,
    line: Number(line),
    text: text.replace(/\n\s+/g, " "),
  }));
}
