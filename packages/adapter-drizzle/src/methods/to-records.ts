import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterCredential,
  AdapterSession,
  AdapterUser,
  SessionInfo,
  VerificationToken,
} from "@cardea/core/adapters";
import type { Row } from "../database.ts";

// Casts: the columns were checked when the adapter was created, and core validates ids and times returned by an
// adapter.

/** A user, with the columns that the application added. */
export function toUser(row: Row): AdapterUser {
  return { ...row } as unknown as AdapterUser;
}

/** An account as core expects it: without empty columns, and with numbers for 64-bit ones. */
export function toAccount(row: Row): AdapterAccount {
  const present = Object.entries(row).filter(([, value]) => value !== null);
  const members = present.map(([name, value]) => [name, toExactNumber(value)]);
  return Object.fromEntries(members) as AdapterAccount;
}

/** A 64-bit value as a number, if it has one: larger ones, such as ids, would lose digits. */
function toExactNumber(value: unknown): unknown {
  return typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** A session. */
export function toSession(row: Row): AdapterSession {
  return { ...row } as unknown as AdapterSession;
}

/** A pending e-mail sign-in, without the application's own columns. */
export function toVerificationToken({ identifier, token, expires }: Row): VerificationToken {
  return { identifier, token, expires } as VerificationToken;
}

/** A passkey: its 32-bit counter is a number. */
export function toAuthenticator(row: Row): AdapterAuthenticator {
  return { ...row, counter: Number(row.counter) } as unknown as AdapterAuthenticator;
}

/** The record of a session. Structured members are JSON. */
export function toSessionInfo({ factors, idp, ...row }: Row): SessionInfo {
  return { ...row, factors: parseJson(factors), idp: parseJson(idp) } as unknown as SessionInfo;
}

/** A credential: its state is JSON. */
export function toCredential({ state, ...row }: Row): AdapterCredential {
  return { ...row, state: parseJson(state) } as unknown as AdapterCredential;
}

/** Columns of type `json` are already parsed by the driver. */
function parseJson(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}
