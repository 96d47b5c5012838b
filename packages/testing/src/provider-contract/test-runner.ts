/** What a contract needs of a test runner: `describe`, `it` and `expect` of vitest, jest or anything alike. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => void;
  readonly it: (name: string, body: () => Promise<void> | void) => void;
  readonly expect: (actual: unknown, message?: string) => Matchers;
}

/** The few matchers that the contracts use. */
export interface Matchers {
  toBe(expected: unknown): void;
  toEqual(expected: unknown): void;
  toBeGreaterThanOrEqual(expected: number): void;
}
