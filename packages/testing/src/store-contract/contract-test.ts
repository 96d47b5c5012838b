import type { Awaitable, Store } from "@cardea/core/adapters";
import type { Check } from "../adapter-contract/contract-test.ts";

/** A step inside a transaction that is still open. */
export interface HeldStep {
  /** Commits the transaction. */
  commit(): Promise<void>;
  /** Rolls the transaction back. */
  rollBack(): Promise<void>;
}

/** The store to test, and operations on its data. List absent members in `lacks`, to omit the tests that need them. */
export interface StoreUnderTest {
  /** The store. Tests use their own keys, so it need not be empty. */
  readonly store: Store;
  /** A second client for the same data, like that of another process; default: `store`. */
  readonly other?: Store;
  /** Ages the stored data by this many seconds. */
  readonly advance?: (seconds: number) => Awaitable<void>;
  /** Deletes all data, as when a store is emptied or evicts everything. */
  readonly lose?: () => Awaitable<void>;
  /** Saves a copy of all data, and resolves to a function that restores it, like a failover to an outdated replica. */
  readonly checkpoint?: () => Awaitable<() => Awaitable<void>>;
  /** Runs `work` inside a transaction and keeps the transaction open. Absent if there are no transactions. */
  readonly hold?: (work: (store: Store) => Promise<unknown>) => Promise<HeldStep>;
  /** Called after each test, including failed ones. */
  readonly cleanup?: () => Awaitable<void>;
}

/** A feature that a test may need. */
export type StoreNeed = "log" | Exclude<keyof StoreUnderTest, "store" | "other" | "cleanup">;

/** The argument of a test, with everything that it needs. */
export type StoreSubject<N extends StoreNeed> = Required<Pick<StoreUnderTest, Exclude<N, "log"> | "other">> & {
  readonly store: N & "log" extends never ? Store : Store & Required<Pick<Store, "log">>;
};

/** One test of the contract. */
export interface StoreContractTest {
  readonly name: string;
  readonly needs: readonly StoreNeed[];
  /** Rejects if the test fails. Called only if all needs are met. */
  run(subject: StoreUnderTest, check: Check): Promise<void>;
}

/** Whether a store and the operations on its data meet a need. */
export function hasNeed(subject: StoreUnderTest, need: StoreNeed): boolean {
  return (need === "log" ? subject.store.log : subject[need]) !== undefined;
}

/** Defines a test that needs these members. */
export function storeTest<N extends StoreNeed = never>(
  name: string,
  needs: readonly N[],
  body: (subject: StoreSubject<N>, check: Check) => Promise<void>,
): StoreContractTest {
  return {
    name,
    needs,
    run: (subject, check) => body(asSubject({ ...subject, other: subject.other ?? subject.store }), check),
  };
}

/** A cast: `defineTests` runs a test only if its needs are met. */
function asSubject<N extends StoreNeed>(subject: StoreUnderTest): StoreSubject<N> {
  return subject as StoreSubject<N>;
}
