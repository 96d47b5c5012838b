import type { Awaitable, Store } from "@cardea/core/adapters";
import type { Check } from "../adapter-contract/contract-test.ts";

/** A step that was taken inside of a transaction, which is still open. */
export interface HeldStep {
  /** Commits; resolves when that is done. */
  commit(): Promise<void>;
  /** Undoes the step; resolves when that is done. */
  rollBack(): Promise<void>;
}

/** What {@link storeContract} tests, and what a test can do to the data. Tests that need an absent member are left out with `lacks`. */
export interface StoreUnderTest {
  readonly store: Store;
  /** The same data through another client, as another process has it; default: `store`. */
  readonly other?: Store;
  /** Makes what is stored this many seconds older. */
  readonly advance?: (seconds: number) => Awaitable<void>;
  /** Loses all data, as a store that was emptied, or evicted everything. */
  readonly lose?: () => Awaitable<void>;
  /** Remembers all data; the function it resolves to puts them back, as a failover to a copy that is behind. */
  readonly checkpoint?: () => Awaitable<() => Awaitable<void>>;
  /** Does something inside of a transaction, and keeps that open. Absent where there are no transactions. */
  readonly hold?: (work: (store: Store) => Promise<unknown>) => Promise<HeldStep>;
  /** Called after each test, also after one that failed. */
  readonly cleanup?: () => Awaitable<void>;
}

/** What a test may need. */
export type StoreNeed = "log" | Exclude<keyof StoreUnderTest, "store" | "other" | "cleanup">;

/** What a test is given: everything that it needs is there. */
export type StoreSubject<N extends StoreNeed> = Required<Pick<StoreUnderTest, Exclude<N, "log"> | "other">> & {
  readonly store: N & "log" extends never ? Store : Store & Required<Pick<Store, "log">>;
};

/** A clause of the contract. */
export interface StoreContractTest {
  readonly name: string;
  readonly needs: readonly StoreNeed[];
  /** Rejects if the clause does not hold. Every need is met. */
  run(subject: StoreUnderTest, check: Check): Promise<void>;
}

/** Whether a store, and what can be done to its data, meets a need. */
export function hasNeed(subject: StoreUnderTest, need: StoreNeed): boolean {
  return (need === "log" ? subject.store.log : subject[need]) !== undefined;
}

/** A clause of the contract that needs these members. */
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

/** A cast: `defineTests` runs a clause only if its needs are met. */
function asSubject<N extends StoreNeed>(subject: StoreUnderTest): StoreSubject<N> {
  return subject as StoreSubject<N>;
}
