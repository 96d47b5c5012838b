/** Cardea for Fastify 5. Applications import everything from this package and their provider packages. */

export type { AuthorizationParams, ConfigSource, SignInOptions, SignOutOptions } from "@cardea/core";
export { customFetch, skipCSRFCheck } from "@cardea/core";
export * from "@cardea/core/errors";
export type * from "@cardea/core/types";
export { createAuth, type FastifyAuth } from "./create-auth.ts";
