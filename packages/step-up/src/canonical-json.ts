/** The maximum nesting depth. */
const MAX_DEPTH = 8;

/**
 * Serializes a value as canonical JSON (RFC 8785): members sorted by UTF-16 code units, numbers and strings as
 * serialized by ECMAScript.
 *
 * @throws TypeError for values that JSON cannot represent exactly, because the user would confirm something else:
 * BigInt, Date, functions, undefined, numbers beyond 2^53, -0, holes, lone surrogates, class instances and accessors.
 */
export function canonicalJson(value: unknown): string {
  return write(value, "bind", 0);
}

function write(value: unknown, path: string, depth: number): string {
  if (depth > MAX_DEPTH) throw new TypeError(`\`${path}\` is more than ${MAX_DEPTH} levels deep.`);
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return writeNumber(value, path);
  if (typeof value === "string") return writeString(value, path);
  if (Array.isArray(value))
    return `[${listOf(value, path)
      .map((one, n) => write(one, `${path}[${n}]`, depth + 1))
      .join(",")}]`;
  if (typeof value !== "object") throw refusal(path, typeof value);
  const members = membersOf(value, path).map(
    ([name, member]) => `${writeString(name, path)}:${write(member, `${path}.${name}`, depth + 1)}`,
  );
  return `{${members.join(",")}}`;
}

function writeNumber(value: number, path: string): string {
  const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (!isExact || Object.is(value, -0)) throw refusal(path, "a number that JSON cannot represent exactly");
  return JSON.stringify(value);
}

/** RFC 8785 §3.2.2.2: text that is not Unicode has no canonical form. */
function writeString(value: string, path: string): string {
  if (/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(value))
    throw refusal(path, "text with a lone surrogate");
  return JSON.stringify(value);
}

/** A hole would be serialized as null. */
function listOf(value: readonly unknown[], path: string): readonly unknown[] {
  if (Object.keys(value).length !== value.length) throw refusal(path, "a list with holes or members");
  return value;
}

/** Only own data properties: a getter could return something else when the action is carried out. */
function membersOf(value: object, path: string): readonly (readonly [string, unknown])[] {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  if (!isPlain || Object.getOwnPropertySymbols(value).length > 0) throw refusal(path, "an instance of a class");
  const all = Object.entries(Object.getOwnPropertyDescriptors(value));
  if (all.some(([, { get, set, enumerable }]) => get !== undefined || set !== undefined || enumerable !== true))
    throw refusal(path, "an object with accessors or hidden members");
  return all.map(([name, { value: member }]) => [name, member] as const).sort(([a], [b]) => (a < b ? -1 : 1));
}

function refusal(path: string, what: string): TypeError {
  return new TypeError(
    `\`${path}\` is ${what}: only text, exact numbers, booleans, null, lists and plain objects can be confirmed.`,
  );
}
