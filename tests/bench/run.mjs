// Prints the table of docs/benchmarks.md from one run.
//
//   node run.mjs                     every row
//   node run.mjs --only csrf         rows whose name contains the word
//   node run.mjs --rounds 10         quicker, less exact
//   node run.mjs --save              keeps the figures in saved.json; later runs print in bold what is worse by more than a tenth
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { inOwnProcess } from "./contender-process.mjs";
import { measureInterleaved } from "./measure-interleaved.mjs";
import { measureRow as measureExpress } from "./rows/express.mjs";
import { measureRow as measureExtensions } from "./rows/extensions.mjs";
import { peersOf } from "./rows/peers.mjs";
import { measureRows as measureProcesses } from "./rows/processes.mjs";
import { MAKERS, rows } from "./rows/requests.mjs";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    rounds: { type: "string", default: "40" },
    save: { type: "boolean", default: false },
  },
});
const saved = join(import.meta.dirname, "saved.json");
const before = existsSync(saved) ? JSON.parse(readFileSync(saved, "utf8")) : {};
const isAsked = (name) => name.includes(values.only);
const measured = {};

console.log(
  `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0].model.trim()}), ${new Date().toISOString().slice(0, 10)}\n`,
);
console.log("| | floor | Auth.js | here | others | goal |\n|---|---|---|---|---|---|");
for (const row of rows.filter(({ name }) => isAsked(name))) {
  const names = [...Object.keys(MAKERS), ...peersOf(row.name)];
  const contenders = [];
  for (const library of names) contenders.push(await inOwnProcess(row.name, library));
  const rounds = { rounds: Number(values.rounds), calls: 128, settled: true, turns: row.form === true };
  const times = await measureInterleaved(contenders, rounds);
  for (const { end } of contenders) end();
  const ratios = Object.fromEntries(names.map((name, index) => [name, times[index].ratio]));
  print(row.name, ratios, `≤ ${row.goal}`, `1 (${times[0].median.toFixed(1)} µs)`);
}
for (const measure of [measureExtensions, measureExpress, measureProcesses]) {
  for await (const { name, floor, ratios, goal } of measure({ isAsked })) print(name, ratios, goal, floor);
}
if (values.save) writeFileSync(saved, `${JSON.stringify({ ...before, ...measured }, null, 2)}\n`);

function print(name, ratios, goal, floor) {
  const { floor: _, "Auth.js": authJs, here, ...others } = ratios;
  measured[name] = here;
  const worse = before[name] !== undefined && here > before[name] * 1.1;
  const rest = Object.entries(others).map(([library, ratio]) => `${library} ${written(ratio)}`);
  const cell = worse ? `**${written(here)}** (was ${written(before[name])})` : written(here);
  console.log(
    `| ${name} | ${floor} | ${authJs === undefined ? "–" : written(authJs)} | ${cell} | ${rest.join(", ")} | ${goal} |`,
  );
}

function written(number) {
  return number >= 100 ? number.toFixed(0) : number.toFixed(2);
}
