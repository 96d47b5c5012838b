/** Cardea for Express 4 and 5. Applications import everything from this package and their provider packages. */

export type { AuthorizationParams, ConfigSource, SignInOptions, SignOutOptions } from "@cardea/core";
export { customFetch, skipCSRFCheck } from "@cardea/core";
export * from "@cardea/core/errors";
export type * from "@cardea/core/types";
export {
  type AuthenticatedHandler,
  type AuthenticatedRequest,
  type AuthFunction,
  createAuth,
  type ExpressAuth,
} from "./create-auth.ts";
export type { ExpressAuthConfig, GetSessionResult } from "./types.ts";
