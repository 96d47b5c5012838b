/** Maximum depth of the cause chain. */
const MAX_DEPTH = 8;

/**
 * Removes the provider's response from an error and its causes. oauth4webapi stores the parsed response as `cause`. It
 * contains tokens, and errors thrown to an application end up in its log and, in development, on a page. Messages and
 * codes are kept.
 */
export function dropAnswer<E>(error: E, depth = 0): E {
  if (!(error instanceof Error) || error.cause === undefined) return error;
  const { cause } = error;
  const inner: unknown = cause instanceof Error ? cause : Object(cause).err;
  if (inner instanceof Error && depth < MAX_DEPTH) dropAnswer(inner, depth + 1);
  else Reflect.deleteProperty(error, "cause");
  return error;
}
