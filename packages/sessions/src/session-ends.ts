import type { EndedBy, SessionOrigin, Tools } from "@cardea/core/extend";
import type { EndOf, Entry } from "./entry.ts";
import { ENDED } from "./known-ends.ts";
import { providerKey } from "./provider-keys.ts";
import { registerOf, type SessionRegister } from "./session-register.ts";

/** A session at a provider, as a logout token names it (OIDC Back-Channel Logout §2.4). */
export interface ProviderSession {
  readonly iss: string;
  readonly sid: string;
  /** Where the token names an account as well, only a session of that account ends. */
  readonly sub?: string;
}

/** An account at a provider. */
export interface ProviderAccount {
  readonly iss: string;
  readonly sub: string;
}

/**
 * Ends sessions, for other extensions. Each is idempotent, counts at once in this process and elsewhere as `revocation` of `sessions()`
 * says. Where the store fails they reject, and it is tried again in the background for a minute.
 */
export interface SessionEnds {
  /** Ends one session by its public id. */
  end(sid: string, why?: string): Promise<void>;
  /** Ends every session of a user, and those that are signed in with what was admitted before. Returns the user's new epoch. */
  endAll(userId: string): Promise<number>;
  /** Ends the sessions that came from a session at a provider, those that are issued later included. */
  endProviderSession(session: ProviderSession): Promise<void>;
  /** Ends the sessions that came from an account at a provider. */
  endProviderAccount(account: ProviderAccount): Promise<void>;
}

/**
 * What other extensions end sessions by; `sessions()` has to be configured as well, which they ask for by `needs.extensions`.
 *
 * @param t the tools of any extension of the application.
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

/** Writes the end of what is named; nothing that is known to be written already. */
export async function writeEnd(
  register: SessionRegister,
  ids: Readonly<Partial<Record<EndOf, string>>>,
  why: string,
): Promise<void> {
  const until = register.until();
  const entries = (["sid", "jti", "idp"] as const).flatMap((of): Entry[] => {
    const id = ids[of];
    // The empty id is that of every session without one.
    return id === undefined || id === "" ? [] : [{ kind: "end", of, id, until, why }];
  });
  if (entries.length === 0) throw new Error("A session without an id cannot be ended by itself.");
  await register.write(entries);
}

/** Whether a user may not sign in: the counter is odd. */
export function isBlockedAt(count: number): boolean {
  return count % 2 === 1;
}

/** The account at a provider that a session comes from, with how often the provider had signed it out. */
export async function originNow(t: Tools, origin: SessionOrigin): Promise<SessionOrigin> {
  if (origin.iss === undefined) return origin;
  const account = await providerKey(t, origin.iss, origin.sub, null);
  const { known, stored } = registerOf(t);
  return { ...origin, e: Math.max(known.count("idp", account), await stored.count("idp", account)) };
}

/** Tells every extension that a session, or every session of a user, was ended. */
export function noteEnd(t: Tools, userId: string, by: EndedBy, sid?: string, reason?: string): void {
  t.note({
    kind: "session.ended",
    by,
    userId,
    ...(sid === undefined ? {} : { sid }),
    ...(reason === undefined ? {} : { reason }),
  });
}
