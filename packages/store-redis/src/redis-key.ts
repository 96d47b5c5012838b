/** A key of an extension: `cardea:<extension>:<subject>`. */
const ofExtension = /^([^:{}]+:[^:{}]+):(.*)$/s;

/**
 * The name of a key in Redis. All keys and logs of an extension share a hash tag, so that a Cluster stores them on one
 * server, where a script can write several atomically. Different keys have different names.
 *
 * @param kind Text or log: these never share a name.
 */
export function redisKey(prefix: string, kind: "text" | "log", key: string): string {
  if (typeof key !== "string") throw new TypeError(`A store key must be a string, not ${typeof key}.`);
  const [, extension, rest] = ofExtension.exec(key) ?? [undefined, "cardea", key];
  return `${prefix}{${extension}}${kind === "log" ? "/" : ":"}${rest}`;
}
