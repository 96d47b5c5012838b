/** Cardea for Hono. Applications import everything from this package and their provider packages. */

export type { AuthorizationParams, SignInOptions, SignOutOptions } from "@cardea/core";
export { customFetch, skipCSRFCheck } from "@cardea/core";
export * from "@cardea/core/errors";
export type * from "@cardea/core/types";
export * from "./authjs.ts";
export { type AuthEnv, createAuth, type HonoAuth, type HonoConfigSource } from "./create-auth.ts";
