/**
 * Freezes a configuration and everything in it but class instances, so that a write of ours throws (safety U7). Test-only.
 *
 * @returns the same object.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value;
  Object.freeze(value);
  for (const key of Reflect.ownKeys(value)) deepFreeze<unknown>(Reflect.get(value, key));
  return value;
}
