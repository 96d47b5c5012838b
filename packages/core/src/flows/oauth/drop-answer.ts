/** Longer chains of causes are cut off. */
const MAX_DEPTH = 8;

/**
 * Removes the provider's answer from an error and from those behind it. oauth4webapi keeps the parsed answer as `cause`: it contains tokens,
 * and what is thrown to an application ends up in its log, and in development on a page. Messages and codes stay.
 */
export function dropAnswer<E>(error: E, depth = 0): E {
  if (!(error instanceof Error) || error.cause === undefined) return error;
  const { cause } = error;
  const inner: unknown = cause instanceof Error ? cause : Object(cause).err;
  if (inner instanceof Error && depth < MAX_DEPTH) dropAnswer(inner, depth + 1);
  else Reflect.deleteProperty(error, "cause");
  return error;
}
