import type { Attempt } from "@cardea/core/extend";

/** What forms call the field that names the account, in the order in which they are looked for. */
const fields = ["email", "username", "user", "login", "identifier", "name", "phone"];

/**
 * The account that an attempt is about: the address of an e-mail, or what was typed as a name. Undefined where none is named, such as
 * with a passkey of anyone who has it.
 */
export function accountOf({ identifier, credentials }: Attempt): string | undefined {
  const typed = fields.map((field) => credentials?.[field]).find((value) => typeof value === "string" && value !== "");
  const name = identifier ?? (typeof typed === "string" ? typed : undefined);
  return name;
}

/** One form of all spellings that are the same to a database: in case, in width, with spaces around. */
export function normalizeAccount(account: string): string {
  return account.normalize("NFKC").trim().toLowerCase();
}
