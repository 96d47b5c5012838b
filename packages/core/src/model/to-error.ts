/** An Error for whatever was thrown; what is none becomes the cause of one. Never throws. */
export function toError(value: unknown): Error {
  return value instanceof Error ? value : new Error(`a ${typeof value} was thrown`, { cause: value });
}
