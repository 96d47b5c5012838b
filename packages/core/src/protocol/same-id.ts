import type { User } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";

/**
 * The id of a record as an adapter may return it: adapters of tables with numeric keys return numbers, whatever their type
 * declares.
 */
type RowId = string | number | bigint;

/**
 * Maximum length of an id in characters. OIDC Core §2 limits `sub` to 255; longer values do not fit the id columns of
 * adapters, and a database that truncates text would give two accounts one id.
 */
const MAX_ID_LENGTH = 255;

/** Control characters, lone surrogates, and surrounding white space: databases drop, pad or reject them. */
const UNSAFE_TEXT = /[\p{Cc}\p{Cs}]|^\s|\s$/u;

/** Missing or invalid values converted to text: every account without an id would share them. */
const NOT_AN_ID = /^(?:undefined|null|NaN|-?Infinity|\[object \w+\]|-?\d(?:\.\d+)?e\+\d+)$/;

/**
 * Reads an identifier from a provider, a callback or a database. Never throws.
 *
 * 1. Text stays unchanged: 1 to 255 characters, well-formed, without control characters or surrounding white space.
 * 2. A safe integer becomes text. Other numbers have lost digits, so several accounts would have one id.
 * 3. The text of a missing value (`"undefined"`, `"[object Object]"`) is not an id.
 *
 * @returns null for anything that is not an id.
 */
export function parseId(value: unknown): string | null {
  if (typeof value === "bigint") return parseId(String(value));
  if (typeof value === "number") return isExactId(value) ? String(value) : null;
  if (typeof value !== "string" || value === "" || value.length > MAX_ID_LENGTH) return null;
  return UNSAFE_TEXT.test(value) || NOT_AN_ID.test(value) ? null : value;
}

/** Whether two ids name the same record: a token contains text, where an adapter may return a number. Never throws. */
export function isSameId(one: unknown, other: unknown): boolean {
  return isId(one) && isId(other) && String(one) === String(other);
}

/** Whether a value can be the id of a record: non-empty text, or a number without lost digits. */
export function isId(value: unknown): value is RowId {
  if (typeof value === "number") return isExactId(value);
  return typeof value === "bigint" || (typeof value === "string" && value !== "");
}

function isExactId(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

/**
 * The OAuth or OpenID Connect provider whose user an id names: without a database it is `provider|id of the account`, and a provider id
 * cannot contain a `|`. Undefined for any other id.
 */
export function providerOfId(id: unknown, { providers }: Pick<ResolvedConfig, "providers">): string | undefined {
  const [provider = "", ...rest] = String(id).split("|");
  return rest.length > 0 && providers.get(provider)?.kind === "oauth" ? provider : undefined;
}

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
  const { __proto__: _, ...members } = toPlain(value);
  const id = parseId(members.id);
  if (id === null) return null;
  for (const name of ["name", "email", "image"]) if (name in members) members[name] = textOrNull(members[name]);
  return { ...members, id };
}

/** Members of records that an instance of a class, such as an ORM makes, may have through getters. */
const MEMBERS = [
  ...["id", "name", "email", "image", "emailVerified"],
  ...["sessionToken", "userId", "expires", "identifier", "token"],
];

/** A record to copy: its own members, and those that an instance has through getters, without its methods. */
export function toPlain<T extends object>(record: T): T & Record<string, unknown> {
  const type: object | null = Object.getPrototypeOf(record);
  const members: T & Record<string, unknown> = Object({ ...record });
  if (type === Object.prototype || type === null) return members;
  for (const name of MEMBERS) {
    const member: unknown = Object.hasOwn(members, name) ? undefined : Reflect.get(record, name);
    if (member !== undefined) Object.assign(members, { [name]: member });
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
