/**
 * Own data that server code gives to `signIn()` and that the callbacks of the same sign-in receive as `context`: JSON values. A
 * visitor can neither read nor change it, and a request from a browser cannot set it.
 */
export type SignInContext = Readonly<Record<string, unknown>>;
