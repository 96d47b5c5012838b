/** JSON values, and small changes to them. */

/** Anything JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** A JSON object. Own keys only: `__proto__` is a key like any other. */
export type JsonObject = { readonly [key: string]: Json };

/** A change to a JSON object, applied in the order of the members. */
export interface JsonPatch {
  /** Members to set, new ones included. */
  readonly set?: JsonObject;
  /** Text to put after string members: `{ iss: "1" }`. Members that are no strings stay as they are. */
  readonly append?: Readonly<Record<string, string>>;
  /** Numbers to add to number members: `{ exp: -331 }`. Members that are no numbers stay as they are. */
  readonly shift?: Readonly<Record<string, number>>;
  /** Members to take away. */
  readonly remove?: readonly string[];
}

/** A changed copy of `value`. Never throws. */
export function patchJson(value: JsonObject, patch: JsonPatch | undefined): JsonObject {
  if (patch === undefined) return value;
  const members = new Map<string, Json>(Object.entries(value));
  for (const [key, own] of Object.entries(patch.set ?? {})) members.set(key, own);
  for (const [key, suffix] of Object.entries(patch.append ?? {})) {
    const old = members.get(key);
    if (typeof old === "string") members.set(key, old + suffix);
  }
  for (const [key, amount] of Object.entries(patch.shift ?? {})) {
    const old = members.get(key);
    if (typeof old === "number") members.set(key, old + amount);
  }
  for (const key of patch.remove ?? []) members.delete(key);
  return Object.fromEntries(members);
}

/** The JSON that `value` becomes when it is sent: a copy without functions and `undefined`. */
export function assumeJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** Tells a JSON object from the other JSON values. */
export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object without the members that are `undefined`. */
export function defined(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const present: [string, Json][] = [];
  for (const [key, value] of Object.entries(members)) if (value !== undefined) present.push([key, value]);
  return Object.fromEntries(present);
}
