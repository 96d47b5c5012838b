// What importing a provider's package costs an application that has core already: the built packages, in fresh processes.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { execPath } from "node:process";
import { promisify } from "node:util";
import { runAsScript } from "./report-problems.mjs";
import { packageNames } from "./source-files.mjs";

const limit = 10; // milliseconds beyond core
// It brings a library: a WebAuthn server.
const heavy = ["providers-webauthn"];
const rounds = 5; // the best counts: what else the machine does is nobody's fault

/** Imports core, then each package, and prints how many milliseconds each took. */
const program = `
const [core, ...packages] = JSON.parse(process.argv[1]);
await import(core);
const times = [];
for (const path of packages) {
  const started = performance.now();
  await import(path);
  times.push(performance.now() - started);
}
console.log(JSON.stringify(times));
`;

/** A note with the import time of every provider's package below `root`, which must be built; a problem if one is slow. */
export async function checkImports(root, { max = limit } = {}) {
  const names = packageNames(root).filter((name) => name.startsWith("providers-") && !heavy.includes(name));
  const paths = ["core", ...names].map((name) => join(root, "packages", name, "dist/index.js"));
  const best = names.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    const { stdout } = await promisify(execFile)(execPath, [
      "--input-type=module",
      "-e",
      program,
      JSON.stringify(paths),
    ]);
    for (const [index, time] of JSON.parse(stdout).entries()) best[index] = Math.min(best[index], time);
  }
  const say = (index) => `${names[index].slice("providers-".length)} ${best[index].toFixed(1)}`;
  const slow = names.flatMap((name, index) => (best[index] < max ? [] : [`${name} takes ${say(index)} ms to import`]));
  const all = names.map((_, index) => say(index)).join(", ");
  return { problems: slow, notes: [`milliseconds beyond core, less than ${max} wanted: ${all}`] };
}

await runAsScript(import.meta, checkImports);
