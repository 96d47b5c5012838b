import type { EndedBy, SessionOrigin, Tools } from "@cardea/extend";
import type { EndOf, Entry } from "./entry.ts";
import { ENDED } from "./known-ends.ts";
import { providerKey } from "./provider-keys.ts";
import { registerOf, type SessionRegister } from "./session-register.ts";

/** A provider session, as identified by a logout token (OIDC Back-Channel Logout §2.4). */
export interface ProviderSession {
  /** Issuer of the logout token. */
  readonly iss: string;
  /** The session's id at that issuer. */
  readonly sid: string;
  /** If the token also names an account, only a session of that account ends. */
  readonly sub?: string;
}

/** An account at a provider. */
export interface ProviderAccount {
  /** Issuer of the account's ID tokens (OIDC Core §2). */
  readonly iss: string;
  /** The user's id at that issuer. */
  readonly sub: string;
}

/**
 * Ends sessions, for other extensions. All methods are idempotent. They take effect immediately in this process, and in
 * others according to `revocation` of `sessions()`. If the store fails, they reject and retry in the background for a
 * minute.
 */
export interface SessionEnds {
  /** Ends one session by its public id. */
  end(sid: string, why?: string): Promise<void>;
  /**
   * Ends every session of a user, including those of sign-ins that are still in progress. Returns the user's new epoch.
   */
  endAll(userId: string): Promise<number>;
  /** Ends the sessions that came from a provider session, including those issued later. */
  endProviderSession(session: ProviderSession): Promise<void>;
  /** Ends the sessions that came from a provider account. */
  endProviderAccount(account: ProviderAccount): Promise<void>;
}

/**
 * Returns the operations with which other extensions end sessions. Requires `sessions()`: declare it in
 * `needs.extensions`.
 *
 * @param t Tools of any extension of the application.
 * @throws Error without a store.
 */
export function sessionEndsOf(t: Tools): SessionEnds {
  const register = registerOf(t);
  return {
    end: (sid, why = ENDED) => writeEnd(register, { sid }, why),
    endAll: async (userId) => (await register.raise("epoch", String(userId))).value,
    async endProviderSession({ iss, sid, sub = null }) {
      await writeEnd(register, { idp: await providerKey(t, iss, sub, sid) }, "provider");
    },
    async endProviderAccount({ iss, sub }) {
      await register.raise("idp", await providerKey(t, iss, sub, null));
    },
  };
}

/** Writes an entry, unless it is known to be written. */
export async function writeEnd(
  register: SessionRegister,
  ids: Readonly<Partial<Record<EndOf, string>>>,
  why: string,
): Promise<void> {
  const until = register.until();
  const entries = (["sid", "jti", "idp"] as const).flatMap((of): Entry[] => {
    const id = ids[of];
    // All sessions without an id share the empty id.
    return id === undefined || id === "" ? [] : [{ kind: "end", of, id, until, why }];
  });
  if (entries.length === 0) throw new Error("A session without an id cannot be ended individually.");
  await register.write(entries);
}

/** Whether a user is blocked: the counter is odd. */
export function isBlockedAt(count: number): boolean {
  return count % 2 === 1;
}

/** The provider account that a session comes from, with how often the provider has signed it out. */
export async function originNow(t: Tools, origin: SessionOrigin): Promise<SessionOrigin> {
  if (origin.iss === undefined) return origin;
  const account = await providerKey(t, origin.iss, origin.sub, null);
  const { known, stored } = registerOf(t);
  return { ...origin, e: Math.max(known.count("idp", account), await stored.count("idp", account)) };
}

/** Notifies every extension that a session, or all sessions of a user, ended. */
export function noteEnd(t: Tools, userId: string, by: EndedBy, sid?: string, reason?: string): void {
  t.note({
    kind: "session.ended",
    by,
    userId,
    ...(sid === undefined ? {} : { sid }),
    ...(reason === undefined ? {} : { reason }),
  });
}
