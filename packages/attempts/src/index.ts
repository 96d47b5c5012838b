/** Rate limits for sign-in attempts, shared by all processes of an application. */

export { type AttemptsOperations, type AttemptsOptions, attempts, attemptsOf } from "./attempts.ts";
export type { ClientAddress } from "./client-address.ts";
