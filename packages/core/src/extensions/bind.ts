import type { FlowContext } from "../model/context.ts";
import type { Extension } from "../model/extension.ts";
import type { RequestTools } from "../model/tools.ts";

/** Extensions in order, with the function that creates their tools for a request. */
export interface Bound {
  readonly list: readonly Extension[];
  readonly toolsOf: (context: FlowContext, extension: Extension) => RequestTools;
}

/** Whether an action belongs to an extension. An extension may only redirect to its own actions. */
export function ownsAction({ actions = {} }: Extension, action: string): boolean {
  return Object.hasOwn(actions, `GET ${action}`);
}
