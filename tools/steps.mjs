// Runs the steps of `npm test` beside each other, reports them in order, and adds up.

/** What runs at once, in sums of `weight`. More than the two processors of a small machine: every step waits now and then. */
const CAPACITY = 3;

const weightOf = ({ weight = 1 }) => weight;

/**
 * Runs every step and prints each one's heading, time and, where it failed, output, in the order of the list. The heaviest
 * start first; one starts when there is room for its `weight` and what it `needs` has ended. Where that failed, it does not run and
 * counts as failed. Resolves to the results.
 */
export async function runSteps(steps, print = console.log) {
  const results = new Map();
  const active = new Map();
  const waiting = steps.toSorted((one, other) => weightOf(other) - weightOf(one));
  let printed = 0;
  const report = () => {
    for (; printed < steps.length && results.has(steps[printed].name); printed++) {
      print(describeResult(steps[printed], results.get(steps[printed].name)));
    }
  };
  const mayStart = (step) => {
    const busy = [...active.keys()].reduce((sum, one) => sum + weightOf(one), 0);
    return busy + weightOf(step) <= CAPACITY && (step.needs === undefined || results.has(step.needs));
  };
  while (results.size < steps.length) {
    const next = waiting.findIndex(mayStart);
    if (next === -1 && active.size === 0) throw new Error(`No step may start: ${waiting.map(({ name }) => name)}`);
    if (next === -1) await Promise.race(active.values());
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
  if (step.needs && results.get(step.needs).failed > 0) {
    return { passed: 0, failed: 1, skipped: 0, output: `not run: it needs “${step.needs}”, which failed`, seconds: 0 };
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

/** Adds up results. In CI what was skipped counts as failed: there a skipped check must not look like a passed one. */
export function tally(results, { ci }) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const result of results) for (const key of Object.keys(total)) total[key] += result[key];
  return ci ? { passed: total.passed, failed: total.failed + total.skipped, skipped: 0 } : total;
}

/** `N passed, M failed`, and `, K skipped` where there are any. */
export function totalLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
