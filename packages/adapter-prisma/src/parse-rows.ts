import type { AdapterAccount, AdapterAuthenticator } from "@cardea/core/adapters";
import type { AccountRow, AuthenticatorRow } from "./parse-models.ts";

/** An account as the engine knows it: without the columns that are empty, and with numbers for `BigInt`s. */
export function parseAccount(row: AccountRow): AdapterAccount {
  const present = Object.entries(row).filter(([, value]) => value !== null);
  const members = present.map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]);
  return Object.fromEntries(members) as AdapterAccount;
}

/** An authenticator as the engine knows it: its counter, which has 32 bits, is a number. */
export function parseAuthenticator(row: AuthenticatorRow): AdapterAuthenticator {
  return { ...row, counter: Number(row.counter) };
}
