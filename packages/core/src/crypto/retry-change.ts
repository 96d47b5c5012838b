/** How long a change is retried, in milliseconds. A store handles hundreds of changes of one entry in this time. */
const PATIENCE = 5_000;

/** The longest pause, in milliseconds. */
const LONGEST_PAUSE = 50;

/**
 * Repeats a change by compare-and-set until it succeeds. Of many concurrent changes of one entry, one succeeds at a time: the
 * others pause for a random time, which grows.
 *
 * @param attempt Reads, and writes if nothing was changed in between; undefined: another caller was first.
 * @param what Names what is changed, for the error message.
 * @throws errors of the attempt; Error if others are first for five seconds.
 */
export async function retryChange<T>(attempt: () => Promise<T | undefined>, what: string): Promise<T> {
  const began = performance.now();
  for (let tries = 0; ; tries++) {
    const done = await attempt();
    if (done !== undefined) return done;
    if (performance.now() - began > PATIENCE)
      throw new Error(`${what} could not be updated: too many concurrent changes.`);
    const longest = Math.min(2 ** Math.min(tries, 10), LONGEST_PAUSE);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
  }
}
