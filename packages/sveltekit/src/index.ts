/** Cardea for SvelteKit 2 and 3. Applications import everything from this package and their provider packages. */
import type { Session } from "@cardea/core";

export { type AuthorizationParams, customFetch, skipCSRFCheck } from "@cardea/core";
export * from "@cardea/core/errors";
export type * from "@cardea/core/types";
export * from "./create-auth.ts";
export { createAuth as SvelteKitAuth } from "./create-auth.ts";

declare global {
  // biome-ignore lint/style/noNamespace: it is SvelteKit's
  namespace App {
    interface Locals {
      /** The session of the request, or null. Rejects with `SessionUnavailable` if it cannot be read. */
      auth(): Promise<Session | null>;
    }
    interface PageData {
      /** For layouts that pass the session to the page. */
      session?: Session | null;
    }
  }
}
