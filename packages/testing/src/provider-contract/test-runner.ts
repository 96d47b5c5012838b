/** The part of a test runner that a contract needs: `describe`, `it` and `expect` of Vitest, Jest or a similar one. */
export interface TestRunner {
  /** Groups tests under a name. */
  readonly describe: (name: string, body: () => void) => void;
  /** Defines a test; it fails if the body throws or rejects. */
  readonly it: (name: string, body: () => Promise<void> | void) => void;
  /** Starts an assertion; `message` is shown when it fails. */
  readonly expect: (actual: unknown, message?: string) => Matchers;
}

/** The few matchers that the contracts use. */
export interface Matchers {
  /** Fails unless the values are the same, by `Object.is`. */
  toBe(expected: unknown): void;
  /** Fails unless the values have the same structure. */
  toEqual(expected: unknown): void;
  /** Fails for a smaller number. */
  toBeGreaterThanOrEqual(expected: number): void;
}
