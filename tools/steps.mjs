// Runs the steps of `npm test` two at a time, reports them in order, and adds up.

const workers = 2;

/**
 * Runs every step and prints each one's heading, time and, where it failed, output, in the order of the list. A step
 * marked `alone` starts when no other runs, and no other starts beside it; one whose `needs` failed does not run and
 * counts as failed. Resolves to the results.
 */
export async function runSteps(steps, print = console.log) {
  const results = new Map();
  const active = new Set();
  const idle = async (limit) => {
    while (active.size > limit) await Promise.race(active);
  };
  let printed = 0;
  const report = () => {
    for (; printed < steps.length && results.has(steps[printed].name); printed++) {
      print(describeResult(steps[printed], results.get(steps[printed].name)));
    }
  };
  for (const step of steps) {
    await idle(step.alone ? 0 : workers - 1);
    while (step.needs && !results.has(step.needs)) await Promise.race(active);
    const task = runStep(step, results).then((result) => {
      results.set(step.name, result);
      active.delete(task);
      report();
    });
    active.add(task);
    if (step.alone) await task;
  }
  await idle(0);
  return [...results.values()];
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
