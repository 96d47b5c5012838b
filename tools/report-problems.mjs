// The main function of every check script.
import { dirname } from "node:path";
import { argv } from "node:process";

/**
 * If `meta` belongs to the script that Node.js was started with, runs a check on this repository: prints its notes and problems, and
 * fails if there is a problem. A check takes the root of a tree and returns problems, or `{ problems, notes }`. Tests call checks
 * with other trees.
 */
export async function runAsScript(meta, check) {
  if (argv[1] !== meta.filename) return;
  const result = await check(dirname(meta.dirname));
  const { problems, notes = [] } = Array.isArray(result) ? { problems: result } : result;
  for (const line of notes) console.log(line);
  for (const line of problems) console.error(line);
  if (problems.length > 0) process.exitCode = 1;
}
