import type { Adapter, Awaitable } from "@cardea/core/adapters";
import type { AdapterMethod } from "../memory-adapter/faults.ts";

/** Database features that tests need in addition to adapter methods. */
export type AdapterCapability =
  /** Rejects duplicates, such as a second user with an address or a second account with the same provider and id. */
  | "uniqueKeys"
  /** Concurrent calls are safe: a token is used once, and no change is lost. */
  | "atomic"
  /** Deleting a user deletes their accounts, sessions and authenticators. */
  | "cascade"
  /** Stores several users without an e-mail address. */
  | "usersWithoutEmail"
  /** Ignores members of an account that have no column, instead of failing. */
  | "extraAccountMembers"
  /** Treats values that differ only in case, accents or trailing spaces as different. */
  | "exactText";

/** Options of {@link adapterContract}. */
export interface AdapterContractOptions {
  /**
   * Methods that the adapter lacks and capabilities that its database lacks. Tests that need them are omitted, and the report
   * contains their number. Default: none, so that a missing method fails.
   */
  readonly lacks?: readonly (AdapterMethod | AdapterCapability)[];
  /** Number of concurrent callers in race tests. Default 50. */
  readonly racers?: number;
}

/** The adapter to test, and its cleanup. */
export interface AdapterUnderTest {
  /** The adapter. */
  readonly adapter: Adapter;
  /** Called after each test, including failed ones. */
  readonly cleanup?: () => Awaitable<void>;
}

/** The part of a test framework that the contract needs, such as `describe`, `it` and `expect` of Vitest, Jest or Bun. */
export interface ContractFramework {
  /** Groups tests. */
  describe(name: string, body: () => void): unknown;
  /** Defines a test. */
  it(name: string, body: () => Promise<void>): unknown;
  /** Compares values. */
  expect(actual: unknown): { toEqual(expected: unknown): unknown };
}

/** A method or capability that a test needs. */
export type Need = AdapterMethod | AdapterCapability;

/** An adapter with the methods that a test needs. */
export type With<N extends Need> = Required<Pick<Adapter, Extract<N, AdapterMethod>>>;

/** Comparison functions for tests. */
export interface Check {
  /** Fails unless the values are equal. */
  equal(actual: unknown, expected: unknown): void;
  /** Fails unless each member of `expected` is equal in `actual`, which may have more. Absent, undefined and null are equal. */
  record(actual: unknown, expected: object): void;
}

/** One test of the contract. */
export interface ContractTest {
  readonly name: string;
  readonly needs: readonly Need[];
  /** Rejects if the test fails. Called only if all needs are met. */
  run(subject: AdapterUnderTest, check: Check, racers: number): Promise<void>;
}

const capabilities: Readonly<Record<AdapterCapability, true>> = {
  uniqueKeys: true,
  atomic: true,
  cascade: true,
  usersWithoutEmail: true,
  extraAccountMembers: true,
  exactText: true,
};

/** Whether a need is a database capability rather than a method. */
export function isCapability(need: Need): need is AdapterCapability {
  return Object.hasOwn(capabilities, need);
}

/** Defines a test that needs these methods and capabilities. */
export function contractTest<N extends Need>(
  name: string,
  needs: readonly N[],
  body: (adapter: With<N>, check: Check, racers: number) => Promise<void>,
): ContractTest {
  return { name, needs, run: ({ adapter }, check, racers) => body(assumeMethods<N>(adapter), check, racers) };
}

/** A cast: `defineTests` runs a test only if its needs are met. */
function assumeMethods<N extends Need>(adapter: Adapter): With<N> {
  return adapter as unknown as With<N>;
}
