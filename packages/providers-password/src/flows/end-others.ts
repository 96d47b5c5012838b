import type { AdapterUser, AddedFacts } from "@cardea/extend";
import { sendLater } from "../mail.ts";
import { actionUrl, type Step } from "./answer.ts";

/** A password that was set. */
export interface PasswordSet {
  readonly user: AdapterUser;
  /** The session that set it, which is kept; undefined for a sign-in. */
  readonly sid: string | undefined;
  readonly how: "reset" | "change" | "add";
}

/**
 * Ends everything that stands for an earlier proof of a user whose password was set, but the session or sign-in that set it, and notifies the
 * user (ASVS 6.3.7, 7.4.3).
 *
 * @returns The facts with which that session or sign-in goes on.
 * @throws errors of ending the sessions. The password is set, and the error page tells the user to sign out elsewhere.
 */
export async function notePassword(step: Step, { user, sid, how }: PasswordSet): Promise<AddedFacts> {
  const { settings, t } = step;
  t.note({ kind: "password.changed", userId: user.id, by: "owner", how });
  if (user.email) sendLater(settings, t, { kind: "changed", to: user.email, url: actionUrl(step, "reset") });
  return t.endSessions(user.id, { by: "owner", reason: `password ${how}`, spared: sid });
}

/**
 * Carries out {@link notePassword}, and re-issues the session that set the password with the new proof (ASVS 7.2.4).
 *
 * @throws like {@link notePassword}.
 */
export async function endOthers(step: Step, set: PasswordSet): Promise<void> {
  const facts = await notePassword(step, set);
  await step.action.renewSession({ ...facts, f: [["pwd", step.t.now()]] });
}
