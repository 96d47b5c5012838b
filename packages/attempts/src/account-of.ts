import { type Attempt, parseEmailAddress } from "@cardea/extend";
import { foldName } from "./fold-name.ts";

/** Names that forms use for the field with the account name, in lower case and without separators. */
const FIELDS: ReadonlySet<string> = new Set([
  ...["email", "mail", "emailaddress", "username", "user", "userid"],
  ...["login", "loginname", "identifier", "name", "phone", "phonenumber"],
]);

/** More names than a form has: each costs work and entries in the store. */
const MAX_NAMES = 12;

/**
 * Longer names are not folded: each character costs work, and no user has such a name. They are counted together, as are names without
 * visible characters.
 */
const MAX_LENGTH = 1024;

/** What cannot be named. */
export const UNNAMED: Account = { name: "", exact: "" };

/** An account that an attempt may concern. */
export interface Account {
  /** One form of all spellings that a database may treat as equal: attempts are counted for it. */
  readonly name: string;
  /**
   * The name as submitted, or the e-mail address in the form that core stores. A success proves this account only: another
   * user may have a name that is counted with it.
   */
  readonly exact: string;
}

/**
 * The accounts that an attempt may concern: the e-mail address, or the submitted user name. Empty if the attempt names
 * no account, as with a discoverable passkey; a form without such a field is {@link UNNAMED}. Several fields can each name an account; all of them count, because the
 * field that the application reads is unknown and an extra field must not bypass the limit.
 *
 * @returns null for more than twelve names: such an attempt is refused.
 */
export function accountsOf({ identifier, credentials }: Attempt): readonly Account[] | null {
  if (identifier !== undefined) return [accountNamed(identifier)];
  if (credentials === undefined) return [];
  const typed = Object.entries(credentials).filter(([field]) => FIELDS.has(foldField(field)));
  const values = new Set(typed.flatMap(([, value]) => (typeof value === "string" && value !== "" ? [value] : [])));
  if (values.size === 0) return [UNNAMED];
  return values.size > MAX_NAMES ? null : [...values].flatMap(namesOf);
}

/**
 * The accounts that a submitted name counts under: usually one. An application that parses addresses may read it as another,
 * because the domain is mapped (UTS #46 §4).
 */
export function namesOf(name: string): readonly Account[] {
  if (accountNamed(name) === UNNAMED) return [UNNAMED];
  const exact = exactOf(name);
  return [...new Set([foldName(name), foldName(exact)])].map((folded) => ({ name: folded, exact }));
}

/** The account of a name from `accountOf`. */
export function accountNamed(name: string): Account {
  const folded = name.length > MAX_LENGTH ? "" : foldName(name);
  return folded === "" ? UNNAMED : { name: folded, exact: exactOf(name) };
}

function exactOf(name: string): string {
  return parseEmailAddress(name, { allowLocalDomains: true }) ?? name;
}

/** `userName`, `User_Name` and `user-name` are one field: a form that spells it otherwise must not be without a limit. */
function foldField(field: string): string {
  return field.toLowerCase().replace(/[^a-z]/g, "");
}
