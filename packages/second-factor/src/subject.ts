import type { ActionRequest, OpenedSession, PendingSignIn, RequestTools } from "@cardea/core/extend";
import type { Settings } from "./options.ts";
import { REMEMBERED, rememberBrowser } from "./remembered.ts";

/** Whose factor is asked for: a sign-in that waits, or a session. */
export type Subject =
  | { readonly kind: "pending"; readonly userId: string; readonly pending: PendingSignIn }
  | { readonly kind: "session"; readonly userId: string; readonly session: OpenedSession };

/**
 * Finds whose factor a request is about: the sign-in that it names, else the session, else the latest sign-in of the browser.
 *
 * @throws what the store throws, SessionUnavailable.
 */
export async function findSubject(action: ActionRequest): Promise<Subject | null> {
  const isNamed = action.query.has("pending") || action.body.has("pending");
  const session = isNamed ? null : await action.session();
  if (session !== null) return { kind: "session", userId: session.userId, session };
  const pending = await action.pendingSignIn();
  return pending && { kind: "pending", userId: String(pending.candidate.user.id), pending };
}

/** What a try is counted for. */
export function tryOf(subject: Subject) {
  const { userId } = subject;
  if (subject.kind === "session") return { userId, provider: "session", type: "credentials" } as const;
  const { provider, type } = subject.pending.candidate.account;
  return { userId, provider, type };
}

/**
 * Goes on after a right proof: the sign-in is completed, or the session is issued again with it. The browser is remembered where the
 * user asked for that.
 *
 * @returns where the browser goes.
 * @throws what completing throws.
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
  const url =
    subject.kind === "pending"
      ? await subject.pending.complete(facts)
      : await action.renewSession(facts).then(() => action.redirectTo(typeof to === "string" ? to : null));
  const remembers = settings.rememberDays > 0 && action.body.get(REMEMBERED) === "remember";
  if (remembers) await rememberBrowser(t, subject.userId, settings.rememberDays);
  return url;
}
