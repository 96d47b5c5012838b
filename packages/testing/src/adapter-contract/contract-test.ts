import type { Adapter, Awaitable } from "@cardea/core/adapters";
import type { AdapterMethod } from "../memory-adapter/faults.ts";

/**
 * What a database can do besides having the methods. All are expected unless the adapter under test says `false`; what is
 * not expected is not tested.
 */
export interface AdapterCapabilities {
  /** Refuses a second user of one address, a second account of one (provider, id), … Default true. */
  readonly uniqueKeys?: boolean;
  /** Callers at the same moment: a token is used once, no change gets lost. Default true. */
  readonly atomic?: boolean;
  /** Deleting a user deletes their accounts, sessions and authenticators. Default true. */
  readonly cascade?: boolean;
  /** Several users without an e-mail address. Default true. */
  readonly usersWithoutEmail?: boolean;
  /** Members of an account that the database has no place for are left out, and are no error. Default true. */
  readonly extraAccountMembers?: boolean;
  /** Two values that differ in case, in an accent or in spaces at the end are two values. Default true. */
  readonly exactText?: boolean;
}

/** What {@link adapterContract} tests: an adapter, how to put its database away, and what the database cannot do. */
export interface AdapterUnderTest {
  readonly adapter: Adapter;
  /** Called after each test, also after one that failed. */
  readonly cleanup?: () => Awaitable<void>;
  readonly capabilities?: AdapterCapabilities;
}

/** The part of a test framework that the contract needs: `describe`, `it` and `expect` of vitest, Jest or Bun fit. */
export interface ContractFramework {
  describe(name: string, body: () => void): unknown;
  /** The context that the framework passes is only used to skip a test, where it has a `skip()`. */
  it(name: string, body: (...context: unknown[]) => Promise<void>): unknown;
  expect(actual: unknown): { toEqual(expected: unknown): unknown };
}

/** What a test needs of the adapter. */
export type Need = AdapterMethod | keyof AdapterCapabilities;

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
  /** Resolves to what is missing to run it; undefined: it ran, and holds. */
  run(subject: AdapterUnderTest, check: Check): Promise<Need | undefined>;
}

const capabilities: Readonly<Record<keyof AdapterCapabilities, true>> = {
  uniqueKeys: true,
  atomic: true,
  cascade: true,
  usersWithoutEmail: true,
  extraAccountMembers: true,
  exactText: true,
};

function isCapability(need: Need): need is keyof AdapterCapabilities {
  return Object.hasOwn(capabilities, need);
}

function isMissing(need: Need, subject: AdapterUnderTest): boolean {
  if (isCapability(need)) return subject.capabilities?.[need] === false;
  return typeof subject.adapter[need] !== "function";
}

/** True when nothing is missing, and thereby every needed method is there. */
function hasMethods<N extends Need>(adapter: Adapter, missing: N | undefined): adapter is Adapter & With<N> {
  return missing === undefined && adapter !== undefined;
}

/** A clause of the contract that needs these methods and capabilities. */
export function contractTest<N extends Need>(
  name: string,
  needs: readonly N[],
  body: (adapter: With<N>, check: Check) => Promise<void>,
): ContractTest {
  return {
    name,
    async run(subject, check) {
      const missing = needs.find((need) => isMissing(need, subject));
      if (hasMethods<N>(subject.adapter, missing)) await body(subject.adapter, check);
      return missing;
    },
  };
}
