import type { FlowContext } from "../model/context.ts";
import type { Extension } from "../model/extension.ts";
import type { RequestTools } from "../model/tools.ts";

/** Extensions in their order, and how the tools of each are made for a request. */
export interface Bound {
  readonly list: readonly Extension[];
  readonly toolsOf: (context: FlowContext, extension: Extension) => RequestTools;
}

/** Whether an action belongs to an extension: an extension asks for its own only. */
export function ownsAction({ actions = {} }: Extension, action: string): boolean {
  return Object.hasOwn(actions, `GET ${action}`);
}
