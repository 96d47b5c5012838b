/**
 * Data that server code passes to `signIn()` and that the callbacks of the same sign-in receive as `context`: JSON
 * values. Visitors can neither read nor change it, and browser requests cannot set it.
 */
export type SignInContext = Readonly<Record<string, unknown>>;
