import type { FlowContext, ParsedRequest } from "./context.ts";
import type { ResolvedWebAuthnProvider } from "./resolved-config.ts";
import type { SignInTools } from "./sign-in-way.ts";

/** What makes the tools of a way to sign in. Each way brings it, so that an application without one has none of it. */
export const MAKE_TOOLS: unique symbol = Symbol.for("cardea.sign-in-way");

/** Makes the tools of a way to sign in for one request. */
export type WayToolsMaker = (
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  request: ParsedRequest | undefined,
) => Promise<SignInTools>;
