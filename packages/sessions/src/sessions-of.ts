import { type EndedBy, type Handled, handleOf, serializeCookie, type Tools } from "@cardea/extend";
import { endAllSessions, endSession } from "./end-session.ts";
import type { CounterOf } from "./entry.ts";
import { type ListedSession, listSessions } from "./listed-session.ts";
import { isBlockedAt } from "./session-ends.ts";
import { registerOf } from "./session-register.ts";
import { requireEnds } from "./settings.ts";

/** Who ended sessions, and why. */
export interface EndOptions {
  /** Default `"admin"`. */
  readonly by?: EndedBy;
  /** Reason for the record and for observers; not shown to users. */
  readonly reason?: string;
}

/** A request whose session is kept. */
export interface SparedRequest {
  /** The request, with the session cookie among its headers. */
  readonly request: { readonly url: string; readonly headers: Headers };
  /** Response headers. The session is re-issued and its cookies are added here. */
  readonly headers: Headers;
}

/** Operations on the sessions of any user, for server code. They do not check the caller's permissions. */
export interface SessionsOperations {
  /** The sessions of a user, most recently active first. */
  list(userId: string): Promise<readonly ListedSession[]>;
  /**
   * Ends one session, by its public id. If it rejects, the session may stay active in other processes; the write is
   * retried in the background.
   */
  end(id: string, options?: EndOptions): Promise<void>;
  /**
   * Ends every session of a user, or all but that of a request. If it rejects, some sessions may stay active; the write
   * is retried in the background.
   */
  endAll(userId: string, options?: EndOptions & { readonly except?: SparedRequest }): Promise<void>;
  /** Ends every session of a user and rejects new ones. The block is as durable as the store. */
  block(userId: string, options?: EndOptions): Promise<void>;
  /** Allows a blocked user to sign in again. */
  unblock(userId: string): Promise<void>;
}

/**
 * Returns the operations of the `sessions()` extension of an application.
 *
 * @param auth the result of `createAuth`, or its `auth`.
 */
export function sessionsOf(auth: Handled): SessionsOperations {
  const handle = handleOf(auth, "sessions");
  const operations: SessionsOperations = {
    list: async (userId) => listSessions(await handle.tools(), String(userId)),
    async end(id, { by = "admin", reason } = {}) {
      const t = await handle.tools();
      requireEnds(t);
      await endSession(t, id, { by, reason });
    },
    async endAll(userId, { by = "admin", reason, except } = {}) {
      const t = await handle.tools();
      requireEnds(t);
      // Not from the list in memory: its token may have been replaced on another server a moment ago.
      const session = except === undefined ? null : await handle.session(except.request, { isFresh: true });
      // A session of another user, or one that has ended, is not kept: re-issuing it would revive it.
      const spared = String(session?.userId) === String(userId) && session !== null ? session : undefined;
      const reissue = async (e: number) => {
        if (except === undefined) return;
        const { cookies } = await handle.renewSession(except.request, { e });
        for (const cookie of cookies) except.headers.append("set-cookie", serializeCookie(cookie));
      };
      await endAllSessions(t, String(userId), { by, reason, spared: spared && { ...spared, reissue } });
    },
    async block(userId, options) {
      requireEnds(await handle.tools());
      // Block first: a sign-in that does not see the block has read the previous epoch, and ends with it.
      await setBlocked(await handle.tools(), String(userId), true);
      await operations.endAll(userId, options);
    },
    unblock: async (userId) => setBlocked(await handle.tools(), String(userId), false),
  };
  return operations;
}

/**
 * A block is a counter: odd means blocked. If servers disagree, the later value wins.
 *
 * It is written even if the user is in this state, and grows with time: an earlier change that failed, and is retried, must not
 * undo this one.
 */
async function setBlocked(t: Tools, userId: string, blocked: boolean): Promise<void> {
  const of: CounterOf = "block";
  const { known, stored, write, until } = registerOf(t);
  const former = Math.max(known.count(of, userId), await stored.count(of, userId));
  const least = Math.max(former + 1, t.now());
  const value = isBlockedAt(least) === blocked ? least : least + 1;
  await write([{ kind: "count", of, id: userId, until: until(), value }]);
}
