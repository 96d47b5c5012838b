import type { Awaitable } from "@cardea/core/adapters";
import { accountTokenTests } from "./adapter-contract/account-tokens.ts";
import { accountChangeTests, accountTests } from "./adapter-contract/accounts.ts";
import { authenticatorTests } from "./adapter-contract/authenticators.ts";
import {
  type AdapterContractOptions,
  type AdapterUnderTest,
  type ContractFramework,
  type ContractTest,
  isCapability,
} from "./adapter-contract/contract-test.ts";
import { credentialTests } from "./adapter-contract/credentials.ts";
import { defineTests } from "./adapter-contract/define-tests.ts";
import { deletionTests } from "./adapter-contract/deletion.ts";
import { accountRaces } from "./adapter-contract/races/accounts.ts";
import { credentialRaces } from "./adapter-contract/races/credentials.ts";
import { sessionRaces } from "./adapter-contract/races/sessions.ts";
import { userRaces } from "./adapter-contract/races/users.ts";
import { removalRaces, removalTests } from "./adapter-contract/removal.ts";
import { sessionInfoTests } from "./adapter-contract/session-infos.ts";
import { sessionEndTests, sessionTests } from "./adapter-contract/sessions.ts";
import { signUpTests } from "./adapter-contract/sign-up.ts";
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
  "the last way to sign in": removalTests,
  races: [...userRaces, ...accountRaces, ...sessionRaces, ...credentialRaces, ...removalRaces],
};

/**
 * Defines the tests that every database adapter must pass: written data can be read, missing rows are not errors, keys
 * are unique, single-use writes succeed once under concurrency, and rows are deleted with their user. Tests of methods
 * or database features listed in `lacks` are skipped; otherwise missing ones fail.
 *
 * @param framework `describe`, `it` and `expect` of the test framework.
 * @param makeAdapter Called before each test. It may return the same adapter each time, because tests share no ids or
 * addresses.
 * @param options What the adapter lacks, and the number of concurrent callers.
 */
export function adapterContract(
  framework: ContractFramework,
  makeAdapter: () => Awaitable<AdapterUnderTest>,
  options: AdapterContractOptions = {},
): void {
  const { lacks = [], racers = 50 } = options;
  defineTests({
    framework,
    noun: "adapter",
    areas,
    lacks,
    make: makeAdapter,
    run: (test, subject, check) => test.run(subject, check, racers),
    has: ({ adapter }, need) => (isCapability(need) ? !lacks.includes(need) : typeof adapter[need] === "function"),
  });
}
