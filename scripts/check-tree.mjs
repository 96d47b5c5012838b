// What must not get into the tree: paths of somebody's machine, and hosts of somebody's registry.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runAsScript } from "./report-problems.mjs";
import { listFiles } from "./source-files.mjs";

// At the start of a path only: `https://example.com/work/` and `../root/` are no machine's.
const machinePath = /(?<![\w.\-/@])\/(?:(?:work|root)\/|tmp\/bash_jobs|(?:home|Users)\/[\w.-]+\/)/;
const binary = /\.(?:png|jpe?g|gif|ico|webp|woff2?|tgz|gz|zip|pdf)$/;

/** Problems of every file below `root`, as `path:line what is wrong`. */
export function checkTree(root) {
  return [...checkPaths(root), ...checkLockfile(root)];
}

function checkPaths(root) {
  const files = listFiles(root).filter((path) => !binary.test(path));
  return files.flatMap((path) => {
    return linesMatching(root, path, machinePath).map((line) => `${path}:${line} names a path of one machine`);
  });
}

/** A lockfile with hosts would send everyone to the registry of whoever installed last. */
function checkLockfile(root) {
  const path = "pnpm-lock.yaml";
  if (!existsSync(join(root, path))) return [`${path} is missing`];
  return linesMatching(root, path, /https?:\/\//).map((line) => `${path}:${line} names a host`);
}

function linesMatching(root, path, pattern) {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  return lines.flatMap((text, index) => (pattern.test(text) ? [index + 1] : []));
}

await runAsScript(import.meta, checkTree);
