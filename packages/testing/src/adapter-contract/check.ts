import type { Check, ContractFramework } from "./contract-test.ts";

/** The members of `actual` that `expected` has, with null for absent ones. Returns anything but an object unchanged. */
function reduceTo(expected: object, actual: unknown): unknown {
  if (typeof actual !== "object" || actual === null) return actual;
  return Object.fromEntries(Object.keys(expected).map((key) => [key, Reflect.get(actual, key) ?? null]));
}

/** Comparisons built on the framework's `expect`. */
export function createCheck(expect: ContractFramework["expect"]): Check {
  return {
    equal: (actual, expected) => void expect(actual).toEqual(expected),
    record: (actual, expected) => void expect(reduceTo(expected, actual)).toEqual(reduceTo(expected, expected)),
  };
}

/** Makes several concurrent attempts; returns the results of the successful ones and the number of rejected ones. */
export async function race<T>(
  times: number,
  attempt: (n: number) => T | PromiseLike<T>,
): Promise<{ readonly won: readonly Awaited<T>[]; readonly refused: number }> {
  const started = Array.from({ length: times }, async (_, n) => attempt(n));
  const settled = await Promise.allSettled(started);
  const won = settled.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  return { won, refused: times - won.length };
}

/** Whether an attempt is rejected. */
export async function isRefused(attempt: () => unknown): Promise<boolean> {
  const { refused } = await race(1, attempt);
  return refused === 1;
}
