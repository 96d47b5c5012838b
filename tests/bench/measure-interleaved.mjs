// Measures calls beside each other: in turns, so that whatever else the machine does meets all of them alike.

/**
 * Microseconds a call, of each contender: median, p10 and p90 over the rounds; and `share`, the median of what it takes of the
 * last contender's time in the same round, which a busy machine disturbs least.
 *
 * Each round measures every contender, `calls` calls in a row, and the next round begins with the other end of the list.
 * The first `warmUp` rounds do not count: by then the compiler of the runtime has seen everything.
 * The arguments are made before the clock starts, one for each call, so that nothing can be remembered by identity.
 */
export async function measureInterleaved(contenders, { rounds = 100, calls = 128, warmUp = 20, atOnce = 1 } = {}) {
  const times = contenders.map(() => []);
  for (let round = -warmUp; round < rounds; round += 1) {
    const order = contenders.map((_, index) => index);
    if (round % 2 !== 0) order.reverse();
    for (const index of order) {
      const time = await measureCalls(contenders[index], calls, atOnce);
      if (round >= 0) times[index].push(time);
    }
  }
  const last = times.at(-1);
  return times.map((all) => ({
    median: quantile(all, 0.5),
    p10: quantile(all, 0.1),
    p90: quantile(all, 0.9),
    share: quantile(
      all.map((time, round) => time / last[round]),
      0.5,
    ),
  }));
}

async function measureCalls({ call, argument }, calls, atOnce) {
  const batches = Array.from({ length: calls / atOnce }, () => Array.from({ length: atOnce }, argument));
  const started = process.hrtime.bigint();
  for (const batch of batches) {
    if (atOnce === 1) await call(batch[0]);
    else await Promise.all(batch.map(call));
  }
  return Number(process.hrtime.bigint() - started) / 1000 / calls;
}

function quantile(values, q) {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * q;
  const [below, above] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
  return below + (above - below) * (position - Math.floor(position));
}
