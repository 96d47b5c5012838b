/**
 * Core passes values through unchanged, so their types are those of the application: a session is the result of
 * `callbacks.session`.
 */
export function assume<T>(value: unknown): T {
  return value as T;
}
