import type { Awaitable } from "@cardea/core/adapters";
import { createCheck } from "./check.ts";
import type { Check, ContractFramework } from "./contract-test.ts";

/** A test of a contract, with its needs. */
interface Clause<Need> {
  readonly name: string;
  readonly needs: readonly Need[];
}

/** A contract and the subject to test. */
interface ContractRun<Subject, Need, Test extends Clause<Need>> {
  readonly framework: ContractFramework;
  /** The kind of subject for messages, such as "adapter". */
  readonly noun: string;
  readonly areas: Readonly<Record<string, readonly Test[]>>;
  /** Needs that the subject does not meet, as declared by its author. */
  readonly lacks: readonly Need[];
  /** Creates the subject, before each test. */
  readonly make: () => Awaitable<Subject>;
  /** Runs a test whose needs are all met. */
  readonly run: (test: Test, subject: Subject, check: Check) => Promise<void>;
  /** Whether the subject meets a need. */
  readonly has: (subject: Subject, need: Need) => boolean;
}

/**
 * Defines the tests that apply to a subject. Tests that need something declared in `lacks` are not defined. Instead, one test per
 * such need reports their number, and fails if the subject has it after all. A test fails if a need is missing but not declared.
 */
export function defineTests<
  Subject extends { readonly cleanup?: () => Awaitable<void> },
  Need extends string,
  Test extends Clause<Need>,
>(contract: ContractRun<Subject, Need, Test>): void {
  const { framework, noun, areas, lacks, make, run, has } = contract;
  const check = createCheck((actual) => framework.expect(actual));
  const define = (name: string, body: (subject: Subject) => Promise<void>): void => {
    framework.it(name, async () => {
      const subject = await make();
      try {
        await body(subject);
      } finally {
        await subject.cleanup?.();
      }
    });
  };
  for (const [area, clauses] of Object.entries(areas)) {
    const applicable = clauses.filter(({ needs }) => !needs.some((need) => lacks.includes(need)));
    if (applicable.length === 0) continue;
    framework.describe(area, () => {
      for (const test of applicable) {
        define(test.name, async (subject) => {
          for (const need of test.needs) if (!has(subject, need)) throw new Error(missing(noun, need));
          await run(test, subject, check);
        });
      }
    });
  }
  if (lacks.length === 0) return;
  framework.describe("not applicable", () => {
    for (const need of lacks) {
      const { length } = Object.values(areas).flatMap((clauses) => clauses.filter(({ needs }) => needs.includes(need)));
      define(`the ${noun} lacks ${need} (tests left out: ${length})`, async (subject) => {
        check.equal(
          { need, isTested: length > 0, isThere: has(subject, need) },
          { need, isTested: true, isThere: false },
        );
      });
    }
  });
}

function missing(noun: string, need: string): string {
  return `The ${noun} has no ${need}. Implement it, or name it in the option \`lacks\` of the contract, so that its tests are left out.`;
}
