import type { Awaitable } from "@cardea/core/adapters";
import { accountTokenTests } from "./adapter-contract/account-tokens.ts";
import { accountChangeTests, accountTests } from "./adapter-contract/accounts.ts";
import { authenticatorTests } from "./adapter-contract/authenticators.ts";
import { createCheck } from "./adapter-contract/check.ts";
import type { AdapterUnderTest, ContractFramework, ContractTest } from "./adapter-contract/contract-test.ts";
import { credentialTests } from "./adapter-contract/credentials.ts";
import { deletionTests } from "./adapter-contract/deletion.ts";
import { sessionInfoTests } from "./adapter-contract/session-infos.ts";
import { sessionEndTests, sessionTests } from "./adapter-contract/sessions.ts";
import { signUpTests } from "./adapter-contract/sign-up.ts";
import { skip } from "./adapter-contract/skip.ts";
import { userTests, userUpdateTests } from "./adapter-contract/users.ts";
import { verificationTokenTests } from "./adapter-contract/verification-tokens.ts";

const areas: Readonly<Record<string, readonly ContractTest[]>> = {
  users: [...userTests, ...userUpdateTests],
  "deleting users": deletionTests,
  accounts: [...accountTests, ...signUpTests, ...accountChangeTests, ...accountTokenTests],
  sessions: [...sessionTests, ...sessionEndTests],
  "verification tokens": verificationTokenTests,
  authenticators: authenticatorTests,
  "records of sessions": sessionInfoTests,
  credentials: credentialTests,
};

/**
 * Defines the tests that every database adapter must pass: what is written is read, misses are no errors, each key is
 * unique, a token is used once however many try, rows go with their user. Tests of a method that the adapter lacks, or of
 * something that its database cannot do (`capabilities`), are skipped.
 *
 * @param framework `describe`, `it` and `expect` of the test framework.
 * @param makeAdapter called before each test. It may give the same adapter each time: tests share no ids, no addresses.
 */
export function adapterContract(framework: ContractFramework, makeAdapter: () => Awaitable<AdapterUnderTest>): void {
  const check = createCheck((actual) => framework.expect(actual));
  for (const [area, tests] of Object.entries(areas)) {
    framework.describe(area, () => {
      for (const test of tests) {
        framework.it(test.name, async (...[context]) => {
          const subject = await makeAdapter();
          try {
            const missing = await test.run(subject, check);
            if (missing !== undefined) skip(context, `the adapter has no ${missing}`);
          } finally {
            await subject.cleanup?.();
          }
        });
      }
    });
  }
}
