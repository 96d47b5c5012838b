type OptionMembers = Record<PropertyKey, unknown>;

/**
 * Merges an application's options into a provider's defaults (docs/behaviour.md#oauth): plain objects deeply, everything
 * else is replaced; undefined changes nothing. Neither argument is changed; symbol keys are included.
 */
export function mergeOptions(defaults: OptionMembers, options: OptionMembers): OptionMembers {
  const merged: OptionMembers = { ...defaults };
  for (const key of Reflect.ownKeys(options)) {
    const value = options[key];
    if (value === undefined || key === "__proto__") continue;
    const existing = merged[key];
    merged[key] = isPlainObject(existing) && isPlainObject(value) ? mergeOptions(existing, value) : value;
  }
  return merged;
}

/** An object literal, as opposed to an instance of a class such as `URL` or a key. */
export function isPlainObject(value: unknown): value is OptionMembers {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
