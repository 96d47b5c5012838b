/** What the engine hands on without looking is what the types say: a session is what `callbacks.session` returned. */
export function parseAs<T>(value: unknown): T {
  return value as T;
}
