/**
 * The kernel without any part: requests, sign-ins as such, sessions and pages. An entry point brings the parts that it needs
 * (`standard.ts`). Not an entry point of the package: applications use the standard one.
 */

export { createAuthWith } from "./server/create-auth.ts";
