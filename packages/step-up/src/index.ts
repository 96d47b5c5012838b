/** A fresh proof of the user before an important action. */

export type { Bind } from "./confirmation.ts";
export type { NodeRequest, NodeResponse, RequestParts } from "./guard.ts";
export type { Level, ProofKind } from "./levels.ts";
export { StepUpRequired } from "./required.ts";
export {
  type ExpressHandler,
  type FetchHandler,
  type GuardOptions,
  type RequireOptions,
  type StepUp,
  stepUp,
} from "./step-up.ts";
