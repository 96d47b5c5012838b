import type { Awaitable } from "@cardea/core/adapters";
import type { ContractFramework } from "./adapter-contract/contract-test.ts";
import { defineTests } from "./adapter-contract/define-tests.ts";
import {
  hasNeed,
  type StoreContractTest,
  type StoreNeed,
  type StoreUnderTest,
} from "./store-contract/contract-test.ts";
import { logLifeTests, logTests } from "./store-contract/log.ts";
import { logLossTests } from "./store-contract/log-loss.ts";
import { counterTests, lifeTests, swapTests, valueTests } from "./store-contract/values.ts";

const areas: Readonly<Record<string, readonly StoreContractTest[]>> = {
  texts: valueTests,
  swap: swapTests,
  counters: counterTests,
  life: lifeTests,
  log: [...logTests, ...logLifeTests, ...logLossTests],
};

/** Options of {@link storeContract}. */
export interface StoreContractOptions {
  /**
   * Features that the store lacks (`log`), and operations on its data that tests cannot perform. Tests that need them
   * are skipped, and the report contains their number. Default: none, so that missing features fail.
   */
  readonly lacks?: readonly StoreNeed[];
}

/**
 * Defines the tests that every {@link Store} must pass: calls are atomic, expired values are absent, and the log is
 * read in commit order and reports lost entries. Tests of features listed in `lacks` are skipped; otherwise missing
 * features fail.
 *
 * @param framework `describe`, `it` and `expect` of the test framework.
 * @param makeStore Called before each test. It may return the same store each time, because tests share no keys. `lose`
 * and `checkpoint` affect all data, so concurrent tests need separate data.
 * @param options Features that the store lacks.
 */
export function storeContract(
  framework: ContractFramework,
  makeStore: () => Awaitable<StoreUnderTest>,
  { lacks = [] }: StoreContractOptions = {},
): void {
  defineTests({
    framework,
    noun: "store",
    areas,
    lacks,
    make: makeStore,
    run: (test, subject, check) => test.run(subject, check),
    has: hasNeed,
  });
}
