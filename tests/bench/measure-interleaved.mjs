// Measures calls beside each other: in turns, so that whatever else the machine does meets all of them alike.

/** Calls until the compilers have settled: the ratios of short rows fall by a fifth over the first 6,000. */
const SETTLED = { calls: 10_000, microseconds: 1_000_000 };

/**
 * Of each contender microseconds of CPU time a call, in all threads of its process (median over the rounds), and `ratio`: the median of what
 * it takes of the first contender's time in the same round, which a busy machine disturbs least. `difference` is the median of what it takes
 * beyond that. A contender is `{ measure }`, see {@link inThisProcess} and contender-process.mjs.
 *
 * Each round measures every contender, `calls` calls in a row, and the next round begins with the other end of the list. The first `warmUp`
 * rounds do not count. With `settled`, each contender is called 10,000 times before, or for a second.
 *
 * With `turns`, each call has a turn of the event loop for itself, as each form has that reaches a server alone; the time of an empty
 * turn is taken off. Calls without a turn in between would be a burst of forms, of which one begins in each turn (decisions/045).
 */
export async function measureInterleaved(contenders, options = {}) {
  const { rounds = 40, calls = 64, warmUp = 8, turns = false, settled = false } = options;
  if (settled) for (const contender of contenders) await settle(contender, calls, turns);
  const times = contenders.map(() => []);
  for (let round = -warmUp; round < rounds; round += 1) {
    const order = contenders.map((_, index) => index);
    if (round % 2 !== 0) order.reverse();
    for (const index of order) {
      const time = await contenders[index].measure(calls, turns);
      if (round >= 0) times[index].push(time);
    }
  }
  const [first] = times;
  return times.map((all) => ({
    median: median(all),
    ratio: median(all.map((time, round) => time / first[round])),
    difference: median(all.map((time, round) => time - first[round])),
  }));
}

async function settle({ measure }, calls, turns) {
  let spent = 0;
  for (let n = 0; n < SETTLED.calls && spent < SETTLED.microseconds; n += calls)
    spent += calls * (await measure(calls, turns));
}

/**
 * A contender that shares this process with the others. Arguments are made before the clock starts, one for each call, so that nothing can be
 * remembered by identity.
 */
export function inThisProcess({ call, prepare }) {
  const measure = async (calls, turns) => {
    const batch = [];
    for (let n = 0; n < calls; n += 1) batch.push(await prepare());
    globalThis.gc?.({ type: "minor" }); // what preparing leaves is not the call's
    if (!turns) return (await timeOf(batch, call)) / calls;
    const empty = await timeOf(batch, nextTurn);
    const whole = await timeOf(batch, async (argument) => {
      await call(argument);
      await nextTurn();
    });
    return (whole - empty) / calls;
  };
  return { measure };
}

async function timeOf(batch, call) {
  const started = process.cpuUsage();
  for (const argument of batch) await call(argument);
  const { user, system } = process.cpuUsage(started);
  return user + system;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** The value in the middle. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
