import type { Place, Seed } from "./grounds.ts";

/** The header of a refresh request that names the user whose tokens it is for. */
export const USER_HEADER = "x-test-user";

/** What a process of the fleet is started with. */
export interface WorkerSettings {
  readonly place: Place;
  readonly secret: string;
  readonly seed: Seed | undefined;
  /** How far its clock is ahead. */
  readonly clockMs: number;
  /** How much time passes in it, in milliseconds, with each pause between two looks at a lease. */
  readonly lookMs: number;
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
  /** Without the vault: each session callback that finds the token over refreshes it, and writes what it got. */
  readonly recipe?: boolean;
}

/** What came of it. */
export interface Report {
  /** Each token once. */
  readonly tokens: readonly string[];
  /** Each error once. */
  readonly failures: readonly string[];
  /** How many calls failed. */
  readonly failed: number;
  /** The beginning and the end of each call to the store, the database and the provider, in order. */
  readonly steps: readonly string[];
}
