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
   * What the store does not have (`log`), and what a test cannot do to its data. Tests that need it are left out, and the report
   * says how many. Default: none, so that what is missing fails.
   */
  readonly lacks?: readonly StoreNeed[];
}

/**
 * Defines the tests that every {@link Store} must pass: each call is one step however many call at once, what is over is absent, the
 * log is read in the order of its commits and says when it has lost something. Tests of what the store cannot do, or of
 * what cannot be done to it, are left out if `lacks` names it, and fail otherwise.
 *
 * @param framework `describe`, `it` and `expect` of the test framework.
 * @param makeStore called before each test. It may give the same store each time: tests share no keys. `lose` and `checkpoint`
 *   touch all data, so that tests which run at the same time need data of their own.
 * @param options what the store lacks.
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
