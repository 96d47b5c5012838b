import type { ActionAnswer } from "@cardea/extend";
import { busyAnswer, NOT_FOUND, type Step, toSignIn } from "./answer.ts";
import { addPassword, changePassword } from "./change.ts";
import { confirm } from "./confirm.ts";
import { grow } from "./grow.ts";

/** POST `password/{change|add|confirm|grow}`. All except `grow` require a session. */
export async function takePassword(step: Step): Promise<ActionAnswer> {
  const { action, t } = step;
  if (action.segment === "grow") return grow(step);
  const session = await action.session();
  const user = session && (await t.callAdapter("getUser", session.userId));
  if (!session || !user) return toSignIn(step);
  try {
    switch (action.segment) {
      case "change":
        return await changePassword(step, session, user);
      case "add":
        return await addPassword(step, session, user);
      case "confirm":
        return await confirm(step, user);
      default:
        return NOT_FOUND;
    }
  } catch (error) {
    return busyAnswer(step, "password", error, action.segment === "confirm" ? { step: "confirm" } : {});
  }
}
