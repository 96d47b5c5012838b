import {
  type ActionAnswer,
  type AdapterCredential,
  type AdapterUser,
  isRecent as isRecentAt,
  type OpenedSession,
  parseEmailAddress,
} from "@cardea/extend";
import { refuseNew } from "../choose.ts";
import { findPassword, hashNew, type NewPassword, verifyHash } from "../credential.ts";
import { tryOnce } from "../failures.ts";
import { type Clock, runtimeOf } from "../runtime.ts";
import { actionUrl, fieldOf, goTo, type Step, tooMany, toPage, toSignIn } from "./answer.ts";
import { endOthers, type PasswordSet } from "./end-others.ts";
import { storeWhileThere } from "./store-while-there.ts";

/** The maximum age of the last proof when a sign-in method is added, in seconds (ASVS 7.5.1). */
const RECENT = 15 * 60;

/** Changes a password. Requires the current one (ASVS 6.2.3). */
export async function changePassword(step: Step, session: OpenedSession, user: AdapterUser): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  const former = await findPassword(t, user.id);
  if (former === null) return toPage(step, "password", {});
  const elsewhere = await action.mayChange(actionUrl(step, "password"), [["pwd", t.now()]]);
  if (elsewhere !== null) return goTo(action, elsewhere);
  const verdict = await action.attempt(tryOf(step, user));
  if (!verdict.allow) return tooMany(step, "password", verdict);
  const typed = fieldOf(step, "password");
  const refusal = await refuseNew(settings, t, typed, user);
  if (refusal !== null) return toPage(step, "password", { error: refusal });
  const clock = await runtimeOf(t, settings).begin();
  if (!(await isCurrent(step, user, { clock, hash: former.secret, typed: fieldOf(step, "current") })))
    return toPage(step, "password", { error: "wrong-password" });
  const next = await hashNew(settings, clock, typed);
  // Hashing takes a while. A session that ended in the meantime must not change a password.
  if ((await action.session())?.sid !== session.sid) return toSignIn(step);
  return setPassword(step, { user, sid: session.sid, how: "change" }, former, next);
}

/** The subject for which attempts at the current password are counted: the same as at sign-in. */
export function tryOf({ settings }: Pick<Step, "settings">, user: AdapterUser) {
  const identifier = parseEmailAddress(user.email ?? "", { allowLocalDomains: true }) ?? undefined;
  return { action: "signin", provider: settings.id, type: "credentials", identifier, userId: user.id } as const;
}

/** Checks the current password. A wrong one counts as a failed attempt. @throws PoolFull. */
export async function isCurrent(
  { settings, action, t }: Step,
  user: AdapterUser,
  { clock, hash, typed }: { readonly clock: Clock; readonly hash: string; readonly typed: string },
): Promise<boolean> {
  const password = typed.slice(0, 4 * settings.rule.max + 1);
  const isRight = await tryOnce(t, user, () => verifyHash(settings, { t, clock }, { user, password, hash }));
  if (!isRight) await action.failed();
  return isRight;
}

/** Adds a password for a user who has none, after a recent proof. */
export async function addPassword(step: Step, session: OpenedSession, user: AdapterUser): Promise<ActionAnswer> {
  const { settings, t } = step;
  if ((await findPassword(t, user.id)) !== null) return toPage(step, "password", {});
  const elsewhere = await step.action.mayChange(actionUrl(step, "password"), [], "password");
  if (elsewhere !== null) return goTo(step.action, elsewhere);
  if (!user.emailVerified || !(await isRecent(step, session))) return toSignIn(step);
  const typed = fieldOf(step, "password");
  const refusal = await refuseNew(settings, t, typed, user);
  if (refusal !== null) return toPage(step, "password", { error: refusal });
  const next = await hashNew(settings, await runtimeOf(t, settings).begin(), typed);
  return setPassword(step, { user, sid: session.sid, how: "add" }, null, next);
}

async function setPassword(
  step: Step,
  set: PasswordSet,
  former: AdapterCredential | null,
  next: NewPassword,
): Promise<ActionAnswer> {
  const isThere = async () => (await step.action.session())?.sid === set.sid;
  const outcome = await storeWhileThere(step, { user: set.user, isThere, former, next });
  if (outcome === "changed") return toPage(step, "password", { error: "changed" });
  if (outcome === "ended") return toSignIn(step);
  await endOthers(step, set);
  return toPage(step, "password", { step: "done" });
}

/** Whether the user's last proof is recent. */
export async function isRecent({ t }: Pick<Step, "t">, session: OpenedSession): Promise<boolean> {
  const facts = await session.facts();
  return facts?.f.some(([, at]) => isRecentAt(at, RECENT, t.now())) === true;
}
