// Runs the steps of `npm test` in parallel, reports them in order, and adds up the results.

/** Maximum total `weight` of running steps. More than the two processors of a small machine, because steps also wait. */
const CAPACITY = 4;

const weightOf = ({ weight = 1 }) => weight;

/** Steps that others wait for, or that wait a lot themselves, come first; then the heaviest. */
const urgencyOf = (step) => (step.early ? CAPACITY : 0) + weightOf(step);

/**
 * Runs every step and prints its heading, its time and, if it failed, its output: in the order of the list, or of a run of hours as each
 * ends. Steps with `early` start
 * first, then the heaviest. A step starts once the steps in `needs` and `after` (a name, or several) have ended and there is room for
 * its `weight`; lighter steps do not overtake it. If a step in `needs` failed, it does not run and counts as failed. Resolves to the
 * results.
 */
export async function runSteps(steps, { print = console.log, inOrder = true } = {}) {
  const results = new Map();
  const active = new Map();
  const waiting = steps.toSorted((one, other) => urgencyOf(other) - urgencyOf(one));
  let printed = 0;
  const end = (step, result) => {
    results.set(step.name, result);
    active.delete(step);
    if (!inOrder) return print(describe(step, result));
    for (; results.has(steps[printed]?.name); printed++)
      print(describe(steps[printed], results.get(steps[printed].name)));
  };
  const isReady = ({ needs = [], after = [] }) => [needs, after].flat().every((name) => results.has(name));
  const hasRoom = (step) => [step, ...active.keys()].reduce((sum, one) => sum + weightOf(one), 0) <= CAPACITY;
  while (results.size < steps.length) {
    const step = waiting.find(isReady);
    if (step !== undefined && hasRoom(step)) {
      waiting.splice(waiting.indexOf(step), 1);
      active.set(
        step,
        runStep(step, results).then((result) => end(step, result)),
      );
    } else if (active.size > 0) await Promise.race(active.values());
    else throw new Error(`No step may start: ${waiting.map(({ name }) => name)}`);
  }
  return steps.map(({ name }) => results.get(name));
}

async function runStep({ needs = [], run }, results) {
  const broken = [needs].flat().find((name) => results.get(name).failed > 0);
  if (broken !== undefined) return failure(`not run: it needs “${broken}”, which failed`);
  const started = performance.now();
  const result = await run().catch((error) => failure(error.stack));
  return { ...result, seconds: (performance.now() - started) / 1000 };
}

const failure = (output) => ({ passed: 0, failed: 1, skipped: 0, output, seconds: 0 });

function describe(step, result) {
  const mark = result.failed > 0 ? "✗" : result.skipped > 0 ? "-" : "✓";
  const many = result.passed + result.failed + result.skipped > 1 ? `   ${totalLine(result)}` : "";
  const heading = `${mark} ${step.name.padEnd(24)}${result.seconds.toFixed(1).padStart(6)} s${many}`;
  const details = [result.show, result.failed > 0 || step.show ? result.output : ""];
  const shown = details.filter((text) => text?.trim()).map((text) => text.trim().replace(/^(?=.)/gm, "    "));
  return [heading, ...shown].join("\n");
}

/** Adds up results. In CI a skipped check counts as failed, so that it does not look like a passed one. */
export function tally(results, { ci }) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const result of results) for (const key of Object.keys(total)) total[key] += result[key];
  return ci ? { passed: total.passed, failed: total.failed + total.skipped, skipped: 0 } : total;
}

/** `N passed, M failed`, and `, K skipped` if there are any. */
export function totalLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
