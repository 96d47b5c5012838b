import type { Check, ContractFramework } from "./contract-test.ts";

/** The members of `actual` that `expected` has; null for those that are absent. What is no object stays what it is. */
function reduceTo(expected: object, actual: unknown): unknown {
  if (typeof actual !== "object" || actual === null) return actual;
  return Object.fromEntries(Object.keys(expected).map((key) => [key, Reflect.get(actual, key) ?? null]));
}

/** Comparisons that fail as the framework's `expect` does. */
export function createCheck(expect: ContractFramework["expect"]): Check {
  return {
    equal: (actual, expected) => void expect(actual).toEqual(expected),
    record: (actual, expected) => void expect(reduceTo(expected, actual)).toEqual(reduceTo(expected, expected)),
  };
}

/** How many of several attempts at the same moment succeeded, and what they gave. */
export async function race<T>(
  times: number,
  attempt: (n: number) => T | PromiseLike<T>,
): Promise<{ readonly won: readonly Awaited<T>[]; readonly refused: number }> {
  const started = Array.from({ length: times }, async (_, n) => attempt(n));
  const settled = await Promise.allSettled(started);
  const won = settled.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  return { won, refused: times - won.length };
}

/** Whether an attempt is refused. */
export async function isRefused(attempt: () => unknown): Promise<boolean> {
  const { refused } = await race(1, attempt);
  return refused === 1;
}
