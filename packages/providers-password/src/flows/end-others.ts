import type { AdapterUser, RequestTools } from "@cardea/core/extend";
import { sendLater } from "../mail.ts";
import { actionUrl, type Step } from "./answer.ts";

/** A password that was set. */
export interface PasswordSet {
  readonly user: AdapterUser;
  /** The session that set it, which is kept. */
  readonly sid: string;
  readonly how: "reset" | "change" | "add";
}

/**
 * Whether the session that set the password also ends: this applies to database sessions if no extension can end single
 * sessions.
 */
export function endsOwn(t: RequestTools): boolean {
  return t.strategy === "database" && !t.hasExtension("sessions") && t.adapterHas("deleteSessionsByUserId");
}

/**
 * Ends every other session of a user whose password was set, re-issues this one with the new proof (ASVS 7.4.3, 7.2.4),
 * and notifies the user (ASVS 6.3.7).
 *
 * @throws errors of ending the sessions. The password is set, and the error page tells the user to sign out elsewhere.
 */
export async function endOthers(step: Step, { user, sid, how }: PasswordSet): Promise<void> {
  const { settings, action, t } = step;
  t.note({ kind: "password.changed", userId: user.id, by: "owner", how });
  if (user.email) sendLater(settings, t, { kind: "changed", to: user.email, url: actionUrl(step, "reset") });
  const facts = await t.endSessions(user.id, { by: "owner", reason: `password ${how}`, spared: sid });
  await action.renewSession({ ...facts, f: [["pwd", t.now()]] });
}
