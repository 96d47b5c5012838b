/** Cardea for Next.js 14.2, 15 and 16. An application imports from here, from its provider and adapter packages and from nowhere else. */

export { type AuthorizationParams, customFetch, skipCSRFCheck } from "@cardea/core";
export * from "@cardea/core/errors";
export type * from "@cardea/core/types";
export { createAuth, createAuth as default } from "./create-auth.ts";
export type * from "./types.ts";
