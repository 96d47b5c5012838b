// Runs the steps of `npm test` in parallel, reports them in order, and adds up the results.

/** Maximum total `weight` of running steps. More than the two processors of a small machine, because steps also wait. */
const CAPACITY = 4;

/** What a step waits for: the name of another step, a list of names, or nothing. */
const listNames = (names = []) => [names].flat();

const weightOf = ({ weight = 1 }) => weight;

/** Steps that others wait for, or that wait a lot themselves, come first; then the heaviest. */
const urgencyOf = (step) => (step.early ? CAPACITY : 0) + weightOf(step);

/**
 * Runs every step and prints its heading, its time and, if it failed, its output, in the order of the list. Steps with `early` start
 * first, then the heaviest. A step starts once the steps in `needs` and `after` have ended and there is room for its `weight`; lighter
 * steps do not overtake it. If a step in `needs` failed, it does not run and counts as failed. Resolves to the results.
 */
export async function runSteps(steps, print = console.log) {
  const results = new Map();
  const active = new Map();
  const waiting = steps.toSorted((one, other) => urgencyOf(other) - urgencyOf(one));
  let printed = 0;
  const report = () => {
    for (; printed < steps.length && results.has(steps[printed].name); printed++) {
      print(describeResult(steps[printed], results.get(steps[printed].name)));
    }
  };
  const isReady = ({ needs, after }) => [...listNames(needs), ...listNames(after)].every((name) => results.has(name));
  const hasRoom = (step) => [step, ...active.keys()].reduce((sum, one) => sum + weightOf(one), 0) <= CAPACITY;
  while (results.size < steps.length) {
    const next = waiting.findIndex(isReady);
    if (next === -1 && active.size === 0) throw new Error(`No step may start: ${waiting.map(({ name }) => name)}`);
    if (next === -1 || !hasRoom(waiting[next])) await Promise.race(active.values());
    else {
      const [step] = waiting.splice(next, 1);
      const end = (result) => {
        results.set(step.name, result);
        active.delete(step);
        report();
      };
      active.set(step, runStep(step, results).then(end));
    }
  }
  return steps.map(({ name }) => results.get(name));
}

async function runStep(step, results) {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const broken = listNames(step.needs).find((name) => results.get(name).failed > 0);
  if (broken !== undefined) {
    return { passed: 0, failed: 1, skipped: 0, output: `not run: it needs “${broken}”, which failed`, seconds: 0 };
  }
  try {
    return { ...(await step.run()), seconds: seconds() };
  } catch (error) {
    return { passed: 0, failed: 1, skipped: 0, output: error.stack, seconds: seconds() };
  }
}

function describeResult(step, result) {
  const mark = result.failed > 0 ? "✗" : result.skipped > 0 ? "-" : "✓";
  const many = result.passed + result.failed + result.skipped > 1;
  const heading = `${mark} ${step.name.padEnd(24)}${result.seconds.toFixed(1).padStart(6)} s`;
  const lines = [many ? `${heading}   ${totalLine(result)}` : heading];
  const noteworthy = result.failed > 0 || step.show ? (result.output ?? "") : "";
  for (const text of [result.show ?? "", noteworthy]) if (text.trim()) lines.push(indent(text.trim()));
  return lines.join("\n");
}

function indent(text) {
  return text.replace(/^(?=.)/gm, "    ");
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
