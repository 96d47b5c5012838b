/** The product of fault tests: every call of the database in every flow and setting fails once, in every way. Test-only. */
import { expect } from "vitest";

const LOST = "does it and loses the answer";

/** The ways in which a call fails, for `fail()` of the memory adapter. */
export const FAULTS = {
  "throws an Error": { throws: new Error("down") },
  "throws a string": { throws: "down" },
  "throws null": { throws: null },
  "throws a frozen Error": { throws: Object.freeze(new Error("down")) },
  [LOST]: { throws: new Error("lost"), when: "after" },
} as const;

/** A call that fails once; plain data, so that a failed test shows it. */
export type FailingCall<Flow, Setting> = Setting & {
  readonly flow: Flow;
  /** Its place among the calls of the flow, from 1 on. */
  readonly call: number;
  readonly method: string;
  readonly fault: keyof typeof FAULTS;
};

/**
 * Lists every failing call.
 *
 * @param methodsOf the methods that a flow calls when none fails, in order.
 */
export async function everyCall<Flow extends string, Setting extends object>(
  flows: readonly Flow[],
  settings: readonly Setting[],
  methodsOf: (flow: Flow, setting: Setting) => Promise<readonly string[]>,
): Promise<FailingCall<Flow, Setting>[]> {
  const rows: FailingCall<Flow, Setting>[] = [];
  for (const flow of flows) {
    for (const setting of settings) {
      const methods = await methodsOf(flow, setting);
      expect(methods, `${flow} calls the database`).not.toEqual([]);
      for (const [place, method] of methods.entries())
        rows.push(...namesOf(FAULTS).map((fault) => ({ ...setting, flow, call: place + 1, method, fault })));
    }
  }
  return rows;
}

/** Groups the calls of a flow by what is left behind: each method has its own way back, and so has a write whose answer is lost. */
export function groupOf({ flow, method, fault }: FailingCall<string, object>): string {
  const isWrite = !/^(?:get|list)/.test(method);
  return `${flow}: ${method}${isWrite && fault === LOST ? ", done" : ""}`;
}

/** The names in a literal, which has no others. */
export const namesOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[];
