import type { ActionAnswer, AdapterUser } from "@cardea/extend";
import { refuseNew } from "../choose.ts";
import { findPassword, hashNew, stateOf } from "../credential.ts";
import { runtimeOf } from "../runtime.ts";
import { busyAnswer, fieldOf, goTo, type Step, toPage, toSignIn } from "./answer.ts";
import { notePassword } from "./end-others.ts";
import { storeWhileThere } from "./store-while-there.ts";

/** The user whose pending sign-in requires a longer password; null if there is none in this browser. */
export async function findGrower({ action, t }: Step) {
  const pending = await action.pendingSignIn();
  const id = pending?.candidate.user.id;
  const user: AdapterUser | null = id === undefined ? null : await t.callAdapter("getUser", id);
  return pending === null || user === null ? null : { pending, user };
}

/**
 * POST `password/grow`: sets the longer password that a pending sign-in requires, ends what stands for earlier proofs, and continues the
 * sign-in. The short password was proven in this sign-in, and every other extension has admitted it.
 */
export async function grow(step: Step): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  const grower = await findGrower(step);
  if (grower === null) return toSignIn(step);
  const { pending, user } = grower;
  const former = await findPassword(t, user.id);
  if (former === null || stateOf(former).short !== true) return goTo(action, await pending.complete({}));
  const again = (error: string) => toPage(step, "password", { pending: pending.id, error });
  try {
    const typed = fieldOf(step, "password");
    const refusal = await refuseNew(settings, t, typed, user);
    if (refusal !== null) return again(refusal);
    const next = await hashNew(settings, await runtimeOf(t, settings).begin(), typed);
    // During hashing, all sessions may have been ended, and the pending sign-in with them.
    const isThere = async () => (await findGrower(step)) !== null;
    if (!(await isThere())) return toSignIn(step);
    const outcome = await storeWhileThere(step, { user, isThere, former, next });
    if (outcome === "changed") return again("changed");
    if (outcome === "ended") return toSignIn(step);
  } catch (error) {
    return busyAnswer(step, "password", error, { pending: pending.id });
  }
  const facts = await notePassword(step, { user, sid: undefined, how: "change" });
  return goTo(action, await pending.complete({ ...facts, f: [["pwd", t.now()]] }));
}
