/** A value that JSON cannot represent: a tag, followed by its parts. */
type Tagged = readonly [tag: string, ...parts: unknown[]];

/**
 * Serializes a value as JSON, so that {@link readValues} restores it exactly, including values that JSON does not
 * support, such as `Date`, `undefined`, `bigint` or bytes. An instance of another class becomes the result of its
 * `toJSON()`, otherwise a plain object. Functions and symbols are omitted.
 *
 * @throws TypeError for a circular value.
 */
export function writeValues(value: unknown): string {
  return JSON.stringify(tag(value, []));
}

/**
 * Restores a value serialized by {@link writeValues}.
 *
 * @throws SyntaxError or TypeError for any other text.
 */
export function readValues(text: string): unknown {
  return untag(JSON.parse(text));
}

function tag(value: unknown, within: readonly object[]): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : ["number", Object.is(value, -0) ? "-0" : `${value}`];
    case "bigint":
      return ["bigint", String(value)];
    case "object":
      return value === null ? null : tagObject(value, within);
    default:
      return ["undefined"];
  }
}

function tagObject(value: object, within: readonly object[]): unknown {
  if (within.includes(value)) throw new TypeError("A circular value cannot be stored.");
  const path = [...within, value];
  if (value instanceof Date) return ["date", tag(value.getTime(), [])];
  if (value instanceof Uint8Array) return ["bytes", ...value];
  if (Array.isArray(value)) return ["array", ...value.map((one) => tag(one, path))];
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (!isPlain && "toJSON" in value && typeof value.toJSON === "function") return tag(value.toJSON(), path);
  const kept = Object.entries(value).filter(([, one]) => typeof one !== "function" && typeof one !== "symbol");
  return ["object", ...kept.map(([name, one]) => [name, tag(one, path)])];
}

function untag(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const [name, ...parts] = value as unknown as Tagged;
  const read = READERS.get(name);
  if (read === undefined) throw new TypeError("A stored value has an unknown type.");
  return read(parts);
}

const READERS = new Map<string, (parts: readonly unknown[]) => unknown>([
  ["undefined", () => undefined],
  ["number", ([text]) => Number(text)],
  ["bigint", ([text]) => BigInt(String(text))],
  ["date", ([time]) => new Date(Number(untag(time)))],
  ["bytes", (bytes) => Uint8Array.from(bytes, Number)],
  ["array", (items) => items.map(untag)],
  ["object", (entries) => Object.fromEntries(entries.map(readEntry))],
]);

function readEntry(entry: unknown): [string, unknown] {
  const [name, value]: readonly unknown[] = Array.isArray(entry) ? entry : [];
  if (typeof name !== "string") throw new TypeError("A member of a stored value has no name.");
  return [name, untag(value)];
}
