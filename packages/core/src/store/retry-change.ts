/** Pauses grow to this, in milliseconds, or to ten times what an attempt takes where that is longer. */
const LONGEST_PAUSE = 50;

/** So many concurrent changes of one entry all succeed, however slow the store or the process is. */
const MAXIMUM_LOSSES = 500;

/**
 * Repeats a change by compare-and-set until it succeeds. Of many concurrent changes of one entry, one succeeds at a time: the
 * others pause for a random time, which grows. There is no time limit: an attempt is lost only because another caller's change
 * succeeded meanwhile, so losses are counted.
 *
 * @param attempt Reads, and writes if nothing was changed in between; undefined: another caller was first.
 * @param what Names what is changed, for the error message.
 * @throws errors of the attempt; Error if others were first more than 500 times.
 */
export async function retryChange<T>(attempt: () => Promise<T | undefined>, what: string): Promise<T> {
  for (let losses = 0; losses <= MAXIMUM_LOSSES; losses++) {
    const began = performance.now();
    const done = await attempt();
    if (done !== undefined) return done;
    const took = Math.max(1, performance.now() - began);
    const longest = Math.min(took * 2 ** losses, Math.max(LONGEST_PAUSE, 10 * took));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
  }
  throw new Error(`${what} could not be updated: too many concurrent changes.`);
}
