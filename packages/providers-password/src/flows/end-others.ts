import type { AdapterUser } from "@cardea/core/extend";
import { sendLater } from "../mail.ts";
import { actionUrl, type Step } from "./answer.ts";

/** A password that was set. */
export interface PasswordSet {
  readonly user: AdapterUser;
  /** The session that set it, which goes on. */
  readonly sid: string;
  readonly how: "reset" | "change" | "add";
}

/**
 * Ends every other session of a user whose password was set, re-issues this one with the new proof (ASVS 7.4.3, 7.2.4), and tells the
 * user (ASVS 6.3.7).
 *
 * @throws what ending them throws: the password is set, and the user is told to sign out elsewhere by the error page.
 */
export async function endOthers(step: Step, { user, sid, how }: PasswordSet): Promise<void> {
  const { settings, action, t } = step;
  t.note({ kind: "password.changed", userId: user.id, by: "owner", how });
  if (user.email) sendLater(settings, t, { kind: "changed", to: user.email, url: actionUrl(step, "reset") });
  const facts = await t.endSessions(user.id, { by: "owner", reason: `password ${how}`, spared: sid });
  await action.renewSession({ ...facts, f: [["pwd", t.now()]] });
}
