// Measures calls beside each other: in turns, so that whatever else the machine does meets all of them alike.

/**
 * Microseconds a call, of each contender: median, p10 and p90 over the rounds.
 *
 * Each round measures every contender, `calls` calls in a row, and the next round begins with the other end of the list.
 * The arguments are made before the clock starts, one for each call, so that nothing can be remembered by identity.
 */
export async function measureInterleaved(contenders, { rounds = 30, calls = 400, warmUp = 3, atOnce = 1 } = {}) {
  const times = contenders.map(() => []);
  for (let round = -warmUp; round < rounds; round += 1) {
    const order = contenders.map((_, index) => index);
    if (round % 2 !== 0) order.reverse();
    for (const index of order) {
      const time = await measureCalls(contenders[index], calls, atOnce);
      if (round >= 0) times[index].push(time);
    }
  }
  return times.map((all) => ({ median: quantile(all, 0.5), p10: quantile(all, 0.1), p90: quantile(all, 0.9) }));
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
