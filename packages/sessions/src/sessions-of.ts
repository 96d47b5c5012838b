import { type EndedBy, type Handled, handleOf, serializeCookie, type Tools } from "@cardea/core/extend";
import { endAllSessions, endSession } from "./end-session.ts";
import type { CounterOf } from "./entry.ts";
import { type ListedSession, listSessions } from "./listed-session.ts";
import { isBlockedAt } from "./session-ends.ts";
import { registerOf } from "./session-register.ts";
import { requireEnds, settingsOf } from "./settings-of.ts";

/** Who ends sessions, and why. */
export interface EndOptions {
  /** Default `"admin"`. */
  readonly by?: EndedBy;
  /** For the record and for those who observe; users are not shown it. */
  readonly reason?: string;
}

/** A request whose session is spared. */
export interface SparedRequest {
  readonly request: { readonly url: string; readonly headers: Headers };
  /** Headers of the answer: the session is issued again, and its cookies are added here. */
  readonly headers: Headers;
}

/** What server code does with the sessions of any user. It does not ask who calls it. */
export interface SessionsOperations {
  /** The sessions of a user, the one that was active last first. */
  list(userId: string): Promise<readonly ListedSession[]>;
  /** Ends one session, by its public id. Where it rejects it may go on elsewhere, and is tried again in the background. */
  end(id: string, options?: EndOptions): Promise<void>;
  /** Ends every session of a user, or all but that of a request. Where it rejects some may go on, and it is tried again. */
  endAll(userId: string, options?: EndOptions & { readonly except?: SparedRequest }): Promise<void>;
  /** Ends every session of a user and refuses new ones, as durably as the store keeps what it is given. */
  block(userId: string, options?: EndOptions): Promise<void>;
  /** Lets a user sign in again. */
  unblock(userId: string): Promise<void>;
}

/**
 * The sessions behind what `createAuth` returned.
 *
 * @param auth the result of `createAuth`, or its `auth`.
 */
export function sessionsOf(auth: Handled): SessionsOperations {
  const handle = handleOf(auth, "sessions");
  const operations: SessionsOperations = {
    list: async (userId) => listSessions(await handle.tools(), String(userId)),
    async end(id, { by = "admin", reason } = {}) {
      const t = await handle.tools();
      requireEnds(settingsOf(t));
      await endSession(t, id, { by, reason });
    },
    async endAll(userId, { by = "admin", reason, except } = {}) {
      const t = await handle.tools();
      requireEnds(settingsOf(t));
      const session = except === undefined ? null : await handle.session(except.request);
      // The session of another user, or one that has ended, is not spared: issuing it again would revive it.
      const spared = String(session?.userId) === String(userId) && session !== null ? session : undefined;
      const e = await endAllSessions(t, String(userId), { by, reason, spared });
      if (except === undefined || spared === undefined || e === null) return;
      const { cookies } = await handle.renewSession(except.request, { e });
      for (const cookie of cookies) except.headers.append("set-cookie", serializeCookie(cookie));
    },
    async block(userId, options) {
      requireEnds(settingsOf(await handle.tools()));
      // First the block: a sign-in that does not see it has read the epoch before, and ends with it.
      await setBlocked(await handle.tools(), String(userId), true);
      await operations.endAll(userId, options);
    },
    unblock: async (userId) => setBlocked(await handle.tools(), String(userId), false),
  };
  return operations;
}

/** A block is a counter as well: odd is blocked, so that of two servers that know different things the later one counts. */
async function setBlocked(t: Tools, userId: string, blocked: boolean): Promise<void> {
  const of: CounterOf = "block";
  const { known, stored, write, until } = registerOf(t);
  const value = Math.max(known.count(of, userId), await stored.count(of, userId));
  if (isBlockedAt(value) === blocked) return;
  await write([{ kind: "count", of, id: userId, until: until(), value: value + 1 }]);
}
