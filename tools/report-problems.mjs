// What every check script does when it is the one that was started.
import { dirname } from "node:path";
import { argv } from "node:process";

/**
 * Runs a check over this repository if `meta` belongs to the script that Node was started with: prints its notes and
 * problems, and fails if there is a problem. A check takes the root of a tree and returns problems, or
 * `{ problems, notes }`; tests call it with trees of their own.
 */
export async function runAsScript(meta, check) {
  if (argv[1] !== meta.filename) return;
  const result = await check(dirname(meta.dirname));
  const { problems, notes = [] } = Array.isArray(result) ? { problems: result } : result;
  for (const line of notes) console.log(line);
  for (const line of problems) console.error(line);
  if (problems.length > 0) process.exitCode = 1;
}
