/** Limits of sign-in attempts that hold over all processes of an application. */

export { type AttemptsOptions, attempts } from "./attempts.ts";
export type { ClientAddress } from "./client-address.ts";
