/** Adapter calls that take turns with everything else that is under way, in an order that a seed decides. Test-only. */

/** A sequence of numbers from 0 up to a limit, the same for the same seed. */
export type Draw = (limit: number) => number;

/** Numerical Recipes' linear congruential generator: good enough to vary an order. */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Lets others go first, the given number of times. */
export async function yieldTurns(turns: number): Promise<void> {
  for (let n = 0; n < turns; n++) await new Promise((resolve) => setImmediate(resolve));
}

/** An adapter whose calls wait for up to `turns` turns before and after they do their work. */
export function interleave<A extends object>(adapter: A, draw: Draw, turns = 6): A {
  const slow = Object.entries(adapter).map(([name, method]: [string, unknown]) => {
    if (typeof method !== "function") return [name, method];
    const call = async (...args: unknown[]) => {
      await yieldTurns(draw(turns));
      const result: unknown = await Reflect.apply(method, adapter, args);
      await yieldTurns(draw(turns));
      return result;
    };
    return [name, call];
  });
  // The same names and signatures; only when the work is done differs.
  return Object.fromEntries(slow) as A;
}
