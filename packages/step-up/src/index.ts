/** Step-up authentication: requires a recent proof before sensitive actions. */

export type { NodeRequest, OperationRequest as RequestParts } from "@cardea/extend";
export type { Bind } from "./confirmation.ts";
export type { NodeResponse } from "./guard.ts";
export type { Level, ProofKind } from "./levels.ts";
export { StepUpRequired } from "./required.ts";
export {
  type ExpressHandler,
  type FetchHandler,
  type GuardOptions,
  type RequireOptions,
  type StepUp,
  type StepUpOptions,
  stepUp,
} from "./step-up.ts";
export type { StepUpTexts } from "./texts.ts";
