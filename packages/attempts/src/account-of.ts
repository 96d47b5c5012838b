import { type Attempt, parseEmailAddress } from "@cardea/core/extend";
import { foldName } from "./fold-name.ts";

/** Names that forms use for the field with the account name, in lower case and without separators. */
const FIELDS: ReadonlySet<string> = new Set([
  ...["email", "mail", "emailaddress", "username", "user", "userid"],
  ...["login", "loginname", "identifier", "name", "phone", "phonenumber"],
]);

/** More names than a form has: each costs work and entries in the store. */
const MAX_NAMES = 12;

/**
 * The accounts that an attempt may concern: the e-mail address, or the submitted user name. Empty if the attempt names
 * no account, as with a discoverable passkey. Several fields can each name an account; all of them count, because the
 * field that the application reads is unknown and an extra field must not bypass the limit.
 *
 * @returns null for more than twelve names: such an attempt is refused.
 */
export function accountsOf({ identifier, credentials }: Attempt): readonly string[] | null {
  if (identifier !== undefined) return [foldName(identifier)];
  const typed = Object.entries(credentials ?? {}).filter(([field]) => FIELDS.has(foldField(field)));
  const values = new Set(typed.flatMap(([, value]) => (typeof value === "string" && value !== "" ? [value] : [])));
  return values.size > MAX_NAMES ? null : [...new Set([...values].flatMap(namesOf))];
}

/**
 * The names that a submitted name counts under: usually one. An application that parses addresses may read it as another,
 * because the domain is mapped (UTS #46 §4).
 */
export function namesOf(name: string): readonly string[] {
  const address = parseEmailAddress(name, { allowLocalDomains: true });
  return [...new Set([foldName(name), foldName(address ?? name)])];
}

/** `userName`, `User_Name` and `user-name` are one field: a form that spells it otherwise must not be without a limit. */
function foldField(field: string): string {
  return field.toLowerCase().replace(/[^a-z]/g, "");
}
