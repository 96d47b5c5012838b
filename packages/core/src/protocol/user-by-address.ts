import { lowerAscii } from "./email-address.ts";

/**
 * The user with an address, of those that a database found for it: exactly as it is spelled, otherwise in another case of its ASCII
 * letters, because the application may have stored capitals. The result does not depend on the collation of the column: some
 * also find addresses that differ in accents, which belong to other users.
 *
 * @throws Error if the addresses of several users differ in case alone.
 */
export function userByAddress<User extends { readonly id?: unknown; readonly email?: unknown }>(
  users: readonly User[],
  email: string,
): User | null {
  const same = users.filter((user) => typeof user.email === "string" && lowerAscii(user.email) === lowerAscii(email));
  const found = same.find((user) => user.email === email) ?? same[0] ?? null;
  if (same.length < 2 || found?.email === email) return found;
  const ids = same.map(({ id }) => JSON.stringify(String(id))).join(", ");
  throw new Error(`The addresses of the users ${ids} differ in case alone. Change or remove all but one of them.`);
}
