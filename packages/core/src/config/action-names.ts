/** The actions of core. Ids of providers and actions of extensions must not repeat them. */
export const CORE_ACTIONS: readonly string[] = [
  "csrf",
  "providers",
  "session",
  "signin",
  "signout",
  "callback",
  "error",
  "verify-request",
  "confirm-address",
  "webauthn-options",
  "webauthn-script",
];
