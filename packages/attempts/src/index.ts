/** Limits of sign-in attempts that hold over all processes of an application. */

export { type AttemptsOperations, type AttemptsOptions, attempts, attemptsOf } from "./attempts.ts";
export type { ClientAddress } from "./client-address.ts";
