import type { Adapter, Awaitable } from "@cardea/core/adapters";
import type { AdapterMethod } from "../memory-adapter/faults.ts";

/** What a database can do besides having the methods. */
export type AdapterCapability =
  /** Refuses a second user of one address, a second account of one (provider, id), … */
  | "uniqueKeys"
  /** Callers at the same moment: a token is used once, no change gets lost. */
  | "atomic"
  /** Deleting a user deletes their accounts, sessions and authenticators. */
  | "cascade"
  /** Several users without an e-mail address. */
  | "usersWithoutEmail"
  /** Members of an account that the database has no place for are left out, and are no error. */
  | "extraAccountMembers"
  /** Two values that differ in case, in an accent or in spaces at the end are two values. */
  | "exactText";

/** Options of {@link adapterContract}. */
export interface AdapterContractOptions {
  /**
   * Methods that the adapter does not have, and capabilities that its database does not have. Tests that need one of them are left
   * out, and the report says how many. Default: none, so that a missing method fails.
   */
  readonly lacks?: readonly (AdapterMethod | AdapterCapability)[];
  /** How many callers attempt the same write at once, in the tests of races. Default 50. */
  readonly racers?: number;
}

/** What {@link adapterContract} tests: an adapter, and how to put its database away. */
export interface AdapterUnderTest {
  /** The adapter. */
  readonly adapter: Adapter;
  /** Called after each test, also after one that failed. */
  readonly cleanup?: () => Awaitable<void>;
}

/** The part of a test framework that the contract needs: `describe`, `it` and `expect` of vitest, Jest or Bun fit. */
export interface ContractFramework {
  /** Groups tests. */
  describe(name: string, body: () => void): unknown;
  /** Defines a test. */
  it(name: string, body: () => Promise<void>): unknown;
  /** Compares values. */
  expect(actual: unknown): { toEqual(expected: unknown): unknown };
}

/** What a test needs of the adapter. */
export type Need = AdapterMethod | AdapterCapability;

/** An adapter with the methods that a test needs. */
export type With<N extends Need> = Required<Pick<Adapter, Extract<N, AdapterMethod>>>;

/** What a test compares with. */
export interface Check {
  /** Everything is the same. */
  equal(actual: unknown, expected: unknown): void;
  /** Each member of `expected` is the same in `actual`; absent, undefined and null are the same. More may be there. */
  record(actual: unknown, expected: object): void;
}

/** A clause of the contract. */
export interface ContractTest {
  readonly name: string;
  readonly needs: readonly Need[];
  /** Rejects if the clause does not hold. Every need is met. */
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

/** Whether a need is a capability of the database, and no method. */
export function isCapability(need: Need): need is AdapterCapability {
  return Object.hasOwn(capabilities, need);
}

/** A clause of the contract that needs these methods and capabilities. */
export function contractTest<N extends Need>(
  name: string,
  needs: readonly N[],
  body: (adapter: With<N>, check: Check, racers: number) => Promise<void>,
): ContractTest {
  return { name, needs, run: ({ adapter }, check, racers) => body(assumeMethods<N>(adapter), check, racers) };
}

/** A cast: `defineTests` runs a clause only if its needs are met. */
function assumeMethods<N extends Need>(adapter: Adapter): With<N> {
  return adapter as unknown as With<N>;
}
