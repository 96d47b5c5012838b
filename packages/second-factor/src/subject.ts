import {
  type ActionRequest,
  isSameId,
  type OpenedSession,
  type PendingSignIn,
  type RequestTools,
  type SessionFacts,
} from "@cardea/extend";
import type { Settings } from "./options.ts";
import { REMEMBERED, rememberBrowser } from "./remembered.ts";

/** The pending sign-in or session for which a factor is requested. */
export type Subject =
  | { readonly kind: "pending"; readonly userId: string; readonly pending: PendingSignIn }
  | { readonly kind: "session"; readonly userId: string; readonly session: OpenedSession };

/**
 * Finds the subject of a request: the pending sign-in that it names, otherwise the session, otherwise the browser's
 * latest pending sign-in.
 *
 * @throws SessionUnavailable, and errors of the store.
 */
export async function findSubject(action: ActionRequest): Promise<Subject | null> {
  const isNamed = action.query.has("pending") || action.body.has("pending");
  const session = isNamed ? null : await action.session();
  if (session !== null) return { kind: "session", userId: session.userId, session };
  const pending = await action.pendingSignIn();
  return pending && { kind: "pending", userId: String(pending.candidate.user.id), pending };
}

/**
 * What the user of a subject has proven, and when they signed in: while an account or passkey waits to be added to the user of a session,
 * that is what their session has. Null for a session issued before extensions were configured.
 */
export async function factsOf(subject: Subject): Promise<SessionFacts | null> {
  return subject.kind === "session" ? subject.session.facts() : subject.pending.candidate.facts;
}

/** Whether a change is made in a session: its own, or the one to whose user an account or passkey waits to be added. */
export async function isInSession(action: ActionRequest, subject: Subject): Promise<boolean> {
  if (subject.kind === "session") return true;
  return subject.pending.candidate.adds === true && isSameId((await action.session())?.userId, subject.userId);
}

/** The subject that an attempt is counted for. */
export function tryOf(subject: Subject) {
  const { userId } = subject;
  if (subject.kind === "session") return { userId, provider: "session", type: "credentials" } as const;
  const { provider, type } = subject.pending.candidate.account;
  return { userId, provider, type };
}

/**
 * Continues after a correct proof: completes the sign-in, or re-issues the session with the proof. Remembers the
 * browser if the user requested it. If it throws, no one was signed in and the session has no proof.
 *
 * @returns The URL to redirect to.
 * @throws errors of completing the sign-in.
 */
export async function passOn(
  settings: Settings,
  action: ActionRequest,
  t: RequestTools,
  subject: Subject,
  method: string,
): Promise<string> {
  const facts = { f: [[method, t.now()]] } as const;
  const to = action.body.get("callbackUrl");
  const remembers = settings.rememberDays > 0 && action.body.get(REMEMBERED) === "remember";
  // Before: if the user's proofs end from here on, so does this one.
  const epoch = remembers ? await t.epoch(subject.userId).read() : 0;
  const url =
    subject.kind === "pending"
      ? await subject.pending.complete(facts)
      : await action.renewSession(facts).then(() => action.redirectTo(typeof to === "string" ? to : null));
  if (remembers) await tryRemember(t, subject.userId, settings.rememberDays, epoch);
  return url;
}

/** The user is signed in, also if the browser cannot be remembered. Never throws. */
async function tryRemember(t: RequestTools, userId: string, days: number, epoch: number): Promise<void> {
  try {
    await rememberBrowser(t, userId, days, epoch);
  } catch (error) {
    t.logger.warn("second-factor-not-remembered: the browser is not remembered because of an outage:", error);
  }
}
