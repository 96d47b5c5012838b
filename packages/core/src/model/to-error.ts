/** Converts any thrown value to an Error; a value that is not an Error becomes its cause. Never throws. */
export function toError(value: unknown): Error {
  return value instanceof Error ? value : new Error(`a ${typeof value} was thrown`, { cause: value });
}
