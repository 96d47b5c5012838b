/** Values as JSON that JSON itself has none for: a tag, then what it is made of. */
type Tagged = readonly [tag: string, ...parts: unknown[]];

/**
 * Writes a value as JSON from which {@link readValues} makes the same value again: also where JSON has none of its own, such as a
 * `Date`, `undefined`, a `bigint` or bytes. An instance of another class becomes what its `toJSON()` returns, else a plain object;
 * functions and symbols are left out.
 *
 * @throws TypeError when the value contains itself.
 */
export function writeValues(value: unknown): string {
  return JSON.stringify(tag(value, []));
}

/**
 * Reads what {@link writeValues} wrote.
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
  if (within.includes(value)) throw new TypeError("A value that contains itself cannot be kept.");
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
  if (read === undefined) throw new TypeError("A kept value is of no known kind.");
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
  if (typeof name !== "string") throw new TypeError("A member of a kept value has no name.");
  return [name, untag(value)];
}
