import type { Awaitable } from "@cardea/core/adapters";
import { createCheck } from "./adapter-contract/check.ts";
import type { ContractFramework } from "./adapter-contract/contract-test.ts";
import { skip } from "./adapter-contract/skip.ts";
import type { StoreContractTest, StoreUnderTest } from "./store-contract/contract-test.ts";
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

/**
 * Defines the tests that every {@link Store} must pass: each call is one step however many call at once, what is over is absent, the
 * log is read in the order of its commits and says when it has lost something. Tests of what the store cannot do, or
 * what cannot be done to it, are skipped.
 *
 * @param framework `describe`, `it` and `expect` of the test framework.
 * @param makeStore called before each test. It may give the same store each time: tests share no keys. `lose` and `checkpoint`
 *   touch all data, so that tests which run at the same time need data of their own.
 */
export function storeContract(framework: ContractFramework, makeStore: () => Awaitable<StoreUnderTest>): void {
  const check = createCheck((actual) => framework.expect(actual));
  for (const [area, tests] of Object.entries(areas)) {
    framework.describe(area, () => {
      for (const test of tests) {
        framework.it(test.name, async (...[context]) => {
          const subject = await makeStore();
          try {
            const missing = await test.run(subject, check);
            if (missing !== undefined) skip(context, `the store has no ${missing}`);
          } finally {
            await subject.cleanup?.();
          }
        });
      }
    });
  }
}
