/**
 * Cardea for Next.js 14.2, 15 and 16. Applications import everything from this package and their provider and adapter
 * packages.
 */

export { type AuthorizationParams, customFetch, skipCSRFCheck } from "@cardea/core";
export * from "@cardea/core/errors";
export type * from "@cardea/core/types";
export { createAuth, createAuth as default } from "./create-auth.ts";
// So that an application can extend its types with `declare module` alone.
export type {} from "./jwt.ts";
export type * from "./types.ts";
