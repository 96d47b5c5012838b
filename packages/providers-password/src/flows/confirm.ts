import type { ActionAnswer, AdapterUser } from "@cardea/extend";
import { findPassword } from "../credential.ts";
import { runtimeOf } from "../runtime.ts";
import { fieldOf, goTo, type Step, tooMany, toPage } from "./answer.ts";
import { isCurrent, tryOf } from "./change.ts";

/**
 * POST `password/confirm`: a signed-in user enters their password again. The session is re-issued with the proof (ASVS
 * 7.2.4); nothing else changes.
 *
 * @throws PoolFull, AdapterError.
 */
export async function confirm(step: Step, user: AdapterUser): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  const credential = await findPassword(t, user.id);
  if (credential === null) return toPage(step, "password", {});
  const callbackUrl = await action.redirectTo(fieldOf(step, "callbackUrl") || null);
  const verdict = await action.attempt(tryOf(step, user));
  if (!verdict.allow) return tooMany(step, "password", verdict, { step: "confirm", callbackUrl });
  const clock = await runtimeOf(t, settings).begin();
  if (!(await isCurrent(step, user, { clock, hash: credential.secret, typed: fieldOf(step, "password") })))
    return toPage(step, "password", { step: "confirm", callbackUrl, error: "wrong-password" });
  // The check may have waited for its turn, and the password may have changed in the meantime.
  const now = await findPassword(t, user.id);
  if (now?.secret !== credential.secret)
    return toPage(step, "password", { step: "confirm", callbackUrl, error: "changed" });
  await action.renewSession({ f: [["pwd", t.now()]] });
  return goTo(action, callbackUrl);
}
