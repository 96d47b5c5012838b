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

// Casts: the columns were checked when the adapter was made, and core checks ids and times of what an adapter returns.

/** A user, with the columns that the application added. */
export function toUser(row: Row): AdapterUser {
  return { ...row } as unknown as AdapterUser;
}

/** An account as core expects it: without empty columns, and with numbers for 64-bit ones. */
export function toAccount(row: Row): AdapterAccount {
  const present = Object.entries(row).filter(([, value]) => value !== null);
  const members = present.map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]);
  return Object.fromEntries(members) as AdapterAccount;
}

/** A session. */
export function toSession(row: Row): AdapterSession {
  return { ...row } as unknown as AdapterSession;
}

/** A pending e-mail sign-in, without columns of the application's own. */
export function toVerificationToken({ identifier, token, expires }: Row): VerificationToken {
  return { identifier, token, expires } as VerificationToken;
}

/** A passkey: its 32-bit counter is a number. */
export function toAuthenticator(row: Row): AdapterAuthenticator {
  return { ...row, counter: Number(row.counter) } as unknown as AdapterAuthenticator;
}

/** The record of a session: what has several members is JSON. */
export function toSessionInfo({ factors, idp, ...row }: Row): SessionInfo {
  return { ...row, factors: parseJson(factors), idp: parseJson(idp) } as unknown as SessionInfo;
}

/** A credential: its state is JSON. */
export function toCredential({ state, ...row }: Row): AdapterCredential {
  return { ...row, state: parseJson(state) } as unknown as AdapterCredential;
}

/** A column of type `json` is parsed by the driver already. */
function parseJson(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}
