import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from "@cardea/core/adapters";
import type { AccountRow, AuthenticatorRow } from "./models-of.ts";

/** An account as expected by core: without empty columns, and with numbers instead of `BigInt`s. */
export function toAccount(row: AccountRow): AdapterAccount {
  const present = Object.entries(row).filter(([, value]) => value !== null);
  const members = present.map(([name, value]) => [name, toExactNumber(value)]);
  return Object.fromEntries(members) as AdapterAccount;
}

/** A 64-bit value as a number, if it has one: larger ones, such as ids, would lose digits. */
function toExactNumber(value: unknown): unknown {
  return typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** The user in a row that was read with its relation. A cast: the relation is that to the users. */
export function userIn(row: object, { owner }: { readonly owner: string }): AdapterUser {
  return Reflect.get(row, owner) as AdapterUser;
}

/** An authenticator as expected by core: its 32-bit counter is a number. */
export function toAuthenticator(row: AuthenticatorRow): AdapterAuthenticator {
  return { ...row, counter: Number(row.counter) };
}
