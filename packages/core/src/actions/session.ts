import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { strategyOf } from "../session/select-strategy.ts";

/** Tells a page why its session ended, if the user did not sign out in this browser. */
const ENDED_HEADER = "x-auth-session-ended";

/** GET `session`: the session or null; renews what is due and clears what has ended (docs/behaviour.md#actions). */
export async function session(context: ActionContext): Promise<AuthResult> {
  const read = await strategyOf(context.config).read(context, "renew");
  if (read.kind === "session") return { kind: "json", status: 200, body: read.session };
  const why = read.kind === "none" ? read.ended : undefined;
  return { kind: "json", status: 200, body: null, ...(why === undefined ? {} : { headers: { [ENDED_HEADER]: why } }) };
}

/** POST `session`: calls the callbacks with trigger `update` and `data`; responds with the updated session, or null. */
export async function updateSessionAction(context: ActionContext): Promise<AuthResult> {
  const body = await strategyOf(context.config).update(context, context.request.body.get("data"));
  return { kind: "json", status: 200, body };
}
