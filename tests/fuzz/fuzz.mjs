// Speaks to applications over raw sockets, with requests that no browser would send: `pnpm fuzz --seconds 600`. Whatever comes,
// the guard lets no one through without a session, and nothing answers 5xx, throws, or leads out of the application.
//
//   --seed 7         repeats the choices of a run, which prints its seed
//   --requests 2000  ends after so many, whatever the time
//   --control        with a guard that can be walked around: the run must fail
//   --next           also the application of tests/e2e/, built with Next.js

import { parseArgs } from "node:util";
import { startApplications } from "./applications.mjs";
import { exchange } from "./exchange.mjs";
import { faultOf, faultOfLog, logTypes, reached } from "./find-fault.mjs";
import { startNext } from "./next-application.mjs";
import { chance, pick, startFrom } from "./random.mjs";
import { someRequest, write } from "./requests.mjs";
import { walk } from "./visitor.mjs";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    requests: { type: "string", default: "Infinity" },
    control: { type: "boolean", default: false },
    next: { type: "boolean", default: false },
  },
});
const limit = Number(values.requests);
const ends = Number.isFinite(limit) ? Number.POSITIVE_INFINITY : Date.now() + Number(values.seconds) * 1000;
/** Failures after which a run ends. */
const ENOUGH = 5;

startFrom(Number(values.seed));
const { applications, end } = await startApplications(values.control);
const next = values.next ? await startNext() : undefined;
// From now on: what cannot be started ends the run.
const thrown = [];
process.on("uncaughtException", (error) => thrown.push(error));
process.on("unhandledRejection", (error) => thrown.push(error));
const counts = {};
const slowest = [];
let sent = 0;
let failures = 0;

/** Sends bytes, judges the answer, and reports what is wrong. */
async function send(application, bytes, isExact) {
  const answer = await exchange(application.port, bytes, isExact);
  sent += 1;
  counts[answer.status] = (counts[answer.status] ?? 0) + 1;
  if (isExact) {
    slowest.push({ ms: Math.round(answer.ms), line: `${application.name}: ${bytes.slice(0, 90)}` });
    slowest.sort((one, other) => other.ms - one.ms).splice(3);
  }
  const fault = [
    faultOf(application, bytes, isExact, answer),
    faultOfLog(),
    ...thrown.splice(0).map((one) => `thrown ${one?.stack ?? one}`),
  ]
    .filter(Boolean)
    .join("; ");
  if (fault === "" || application.excuses?.(bytes, fault)) return answer;
  failures += 1;
  console.error(`\n${application.name}, request ${sent}: ${fault}`);
  console.error(
    `sent      ${JSON.stringify(bytes.slice(0, 6000))}\nanswered  ${JSON.stringify(answer.text.slice(0, 600))}`,
  );
  return answer;
}

console.log(`fuzzing with --seed ${values.seed}`);
const targets = next === undefined ? applications : [...applications, next, next, next];
while (Date.now() < ends && sent < limit && failures < ENOUGH) {
  const application = pick(targets);
  if (application !== next && chance(0.04)) await walk(application, send);
  else {
    const request = someRequest();
    const target = request.target.replace(/^\/auth(?=\/)/, application.base ?? "/auth");
    const { bytes, isExact } = write({ ...request, target });
    await send(application, bytes, isExact);
  }
}
end();
await next?.end();
console.log(`${sent} requests; answers by status ${JSON.stringify(counts)}`);
console.log(`logged ${JSON.stringify(Object.fromEntries(logTypes))}`);
for (const { ms, line } of slowest) console.log(`slow: ${ms} ms ${JSON.stringify(line)}`);
console.log(`reached ${JSON.stringify(reached)}`);
const isBlind = sent >= 1500 && Object.values(reached).includes(0);
console.log(`${failures} failures${isBlind ? ", but the run did not come to all that it should" : ""}`);
process.exitCode = failures > 0 || isBlind ? 1 : 0;
