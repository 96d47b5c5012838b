import type { User } from "../model/records.ts";
import { parseId } from "../protocol/same-id.ts";

/** A user with a non-empty id. */
export type IdentifiedUser = User & { id: string };

/**
 * Reads a user that `authorize()` or a provider's `profile()` returned. An id is required: accounts without one would all be
 * the same account.
 *
 * 1. It is an object other than an array, a promise or a function. Each member is read once.
 * 2. `id` is an identifier, see {@link parseId}.
 * 3. `name`, `email` and `image` are text or null; anything else counts as null. An image may be a `URL`.
 *
 * @returns null for anything else. Throws only errors of the object's getters.
 */
export function parseIdentifiedUser(value: unknown): IdentifiedUser | null {
  if (typeof value !== "object" || value === null || Array.isArray(value) || isThenable(value)) return null;
  const { __proto__: _, ...members } = readMembers(value);
  const id = parseId(members.id);
  if (id === null) return null;
  for (const name of ["name", "email", "image"]) if (name in members) members[name] = textOrNull(members[name]);
  return { ...members, id };
}

/** Own members, and those that a class instance, such as an ORM record, has through getters. */
function readMembers(value: object): Record<string, unknown> {
  const members: Record<string, unknown> = { ...value };
  const isInstance = ![Object.prototype, null].includes(Object.getPrototypeOf(value));
  for (const name of isInstance ? ["id", "name", "email", "image", "emailVerified"] : []) {
    if (Object.hasOwn(members, name)) continue;
    const member: unknown = Reflect.get(value, name);
    if (member !== undefined) members[name] = member;
  }
  return members;
}

function textOrNull(value: unknown): string | null | undefined {
  if (value instanceof URL) return value.href;
  return typeof value === "string" || value === undefined ? value : null;
}

function isThenable(value: object): boolean {
  return typeof Reflect.get(value, "then") === "function";
}
