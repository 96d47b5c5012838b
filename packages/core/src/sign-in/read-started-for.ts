import { readMark } from "../cookies/pending.ts";
import type { FlowContext } from "../model/context.ts";
import { accountsOf } from "../session/accounts.ts";

/** The address that waits in this browser, on whose page a form was sent; undefined for any other form. */
export async function readStartedFor(
  context: FlowContext,
  fields: { get(name: string): unknown },
): Promise<string | undefined> {
  const mark = readMark(fields);
  const isWaiting = mark !== undefined && (await accountsOf(context.config)?.addresses.waits(context, mark));
  return isWaiting ? mark : undefined;
}
