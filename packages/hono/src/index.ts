/** Cardea for Hono. Applications import everything from this package and their provider packages. */

export { type AuthorizationParams, customFetch, type SignInOptions, skipCSRFCheck } from "@cardea/core";
export * from "@cardea/core/errors";
export type * from "@cardea/core/types";
export {
  type AuthUser,
  type AuthVariables,
  authHandler,
  type ConfigHandler,
  getAuthUser,
  initAuthConfig,
  verifyAuth,
} from "./authjs.ts";
export { type AuthEnv, createAuth, type HonoAuth, type HonoConfigSource } from "./create-auth.ts";
