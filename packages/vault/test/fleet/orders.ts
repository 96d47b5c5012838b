import type { MemoryAdapterOptions } from "@cardea/testing";

/** What a process of the fleet is started with. */
export interface WorkerSettings {
  readonly redis: string;
  readonly secret: string;
  readonly seed: NonNullable<MemoryAdapterOptions["seed"]>;
  /** How far its clock is ahead. */
  readonly clockMs: number;
  /** How many times faster than real time leases end. */
  readonly speed: number;
  readonly provider: {
    readonly id: string;
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };
}

/** What a process is told to do. */
export interface Order {
  readonly userId: string;
  /** Calls at the same moment. */
  readonly parallel: number;
  /** Moves its clock, so that access tokens are over. */
  readonly advanceMs: number;
  /** The step at which it ends itself, as `kill -9` does. */
  readonly endAt?: number;
  /** The step at which it stops, until it is continued. */
  readonly stopAt?: number;
}

/** What came of it. */
export interface Report {
  readonly tokens: readonly string[];
  readonly failures: readonly string[];
  readonly steps: number;
}
