/** The product of fault tests: every call of the database in every flow and setting fails once, in every way. Test-only. */
import { expect } from "vitest";

/** A call that fails once; plain data, so that a failure shows it. */
export type FailingCall<Flow, Setting, Fault> = Setting & {
  readonly flow: Flow;
  /** Its place among the calls of the flow, from 1 on. */
  readonly call: number;
  readonly method: string;
  readonly fault: Fault;
};

/**
 * Lists every failing call.
 *
 * @param methodsOf the methods that a flow calls when none fails, in order.
 */
export async function everyCall<Flow extends string, Setting extends object, Fault extends string>(
  flows: readonly Flow[],
  settings: readonly Setting[],
  faults: readonly Fault[],
  methodsOf: (flow: Flow, setting: Setting) => Promise<readonly string[]>,
): Promise<FailingCall<Flow, Setting, Fault>[]> {
  const rows: FailingCall<Flow, Setting, Fault>[] = [];
  for (const flow of flows) {
    for (const setting of settings) {
      const methods = await methodsOf(flow, setting);
      expect(methods, `${flow} calls the database`).not.toEqual([]);
      for (const [place, method] of methods.entries())
        rows.push(...faults.map((fault) => ({ ...setting, flow, call: place + 1, method, fault })));
    }
  }
  return rows;
}

/** Groups the calls of a flow by their method: each calls for its own way back. */
export const methodOf = ({ flow, method }: { readonly flow: string; readonly method: string }) => `${flow}: ${method}`;

/** The names in a literal, which has no others. */
export const namesOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[];
