import type { AdapterAccount, AdapterAuthenticator } from "@cardea/core/adapters";
import type { AccountRow, AuthenticatorRow } from "./models-of.ts";

/** An account as core expects it: without empty columns, and with numbers for `BigInt`s. */
export function toAccount(row: AccountRow): AdapterAccount {
  const present = Object.entries(row).filter(([, value]) => value !== null);
  const members = present.map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]);
  return Object.fromEntries(members) as AdapterAccount;
}

/** An authenticator as core expects it: its 32-bit counter is a number. */
export function toAuthenticator(row: AuthenticatorRow): AdapterAuthenticator {
  return { ...row, counter: Number(row.counter) };
}
