import fc from "fast-check";
import type { ContractFramework } from "./adapter-contract/contract-test.ts";

/** Whether this run has time for every combination, as `npm run test:all` has. `npm test` tests each row of a product, not each combination. */
export const isLong = Boolean(process.env.CARDEA_TEST_LONG);

/** All of a list in the long form; otherwise every `step`th from `first` on, and at least one. Shares with other `first`s complete each other. */
export function share<T>(all: readonly T[], step: number, first: number): readonly T[] {
  const every = Math.min(step, all.length);
  return isLong ? all : all.filter((_, index) => index % every === first % every);
}

/** Every pair in the long form; otherwise each element of both lists at least once. */
export function pairs<A, B>(as: readonly A[], bs: readonly B[]): readonly (readonly [A, B])[] {
  const all = as.flatMap((a, row) => bs.map((b, column) => ({ pair: [a, b] as const, row, column })));
  const isChosen = ({ row, column }: { row: number; column: number }) =>
    as.length > bs.length ? row % bs.length === column : column % as.length === row;
  return all.filter((one) => isLong || isChosen(one)).map(({ pair }) => pair);
}

/** Rows that {@link assertRows} checks in the short form, unless there are more groups. */
const ROWS = 50;

/**
 * Asserts that a rule holds for the rows of a product: for each of them in the long form, otherwise for fifty that the seed of the run
 * chooses, with at least one of each group that `groupOf` names. A row is plain data: a failure shows it.
 */
export function assertRows<T>(
  rows: readonly T[],
  groupOf: (row: T) => string,
  rule: (row: T) => Promise<void>,
): Promise<void> {
  const chosen = isLong ? rows : chooseRows(rows, groupOf);
  const examples = chosen.map((row): [T] => [row]);
  return fc.assert(fc.asyncProperty(fc.constantFrom(...rows), rule), {
    examples,
    numRuns: examples.length,
    endOnFailure: true,
  });
}

function chooseRows<T>(rows: readonly T[], groupOf: (row: T) => string): readonly T[] {
  const [shuffled = []] = fc.sample(fc.shuffledSubarray([...rows], { minLength: rows.length }), 1);
  const sizes = new Map<string, number>();
  const placed = shuffled.map((row) => {
    const group = groupOf(row);
    const place = sizes.get(group) ?? 0;
    sizes.set(group, place + 1);
    return { row, place };
  });
  return placed
    .toSorted((one, other) => one.place - other.place)
    .slice(0, Math.max(ROWS, sizes.size))
    .map(({ row }) => row);
}

/** Concurrent callers in the races of `adapterContract` on a server: more than its clients have connections. */
export const RACERS = isLong ? 50 : 16;

/**
 * A test framework for a contract on one more variant of a database: in the short form every `step`th test of each area, and at least
 * one. Each test is part of the same contract on the database itself.
 */
export function sparse({ describe, it, expect }: ContractFramework, step: number, first = 0): ContractFramework {
  let collected: Parameters<ContractFramework["it"]>[] | undefined;
  return {
    expect,
    describe: (area, body) =>
      describe(area, () => {
        const tests: Parameters<ContractFramework["it"]>[] = [];
        collected = tests;
        body();
        collected = undefined;
        for (const test of share(tests, step, first)) it(...test);
      }),
    it: (...test) => (collected === undefined ? it(...test) : collected.push(test)),
  };
}
