/** A key of one extension: `cardea:<extension>:<what it is about>`. */
const ofExtension = /^([^:{}]+:[^:{}]+):(.*)$/s;

/**
 * The name of a key in Redis. All keys and logs of one extension have one hash tag, so that a Cluster keeps them on one server, where
 * one step can write several. Different keys have different names.
 *
 * @param kind a text or a log: these never share a name.
 */
export function redisKey(prefix: string, kind: "text" | "log", key: string): string {
  if (typeof key !== "string") throw new TypeError(`A key of the store must be a string, not ${typeof key}.`);
  const [, extension, rest] = ofExtension.exec(key) ?? [undefined, "cardea", key];
  return `${prefix}{${extension}}${kind === "log" ? "/" : ":"}${rest}`;
}
