/** Cardea for h3, Nitro and Nuxt. Applications import everything from this package and their provider packages. */

export type { AuthorizationParams, SignInOptions, SignOutOptions } from "@cardea/core";
export { customFetch, skipCSRFCheck } from "@cardea/core";
export * from "@cardea/core/errors";
export type * from "@cardea/core/types";
export { createAuth, type H3Auth, type H3ConfigSource } from "./create-auth.ts";
export type { H3Event, H3v1Event, H3v2Event } from "./event.ts";
