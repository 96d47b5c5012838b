import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { strategyOf } from "../session/select-strategy.ts";

/** GET `session`: the session or null; renews it when due and clears invalid cookies (docs/behaviour.md#actions). */
export async function session(context: ActionContext): Promise<AuthResult> {
  const read = await strategyOf(context.config).read(context, "settle");
  return { kind: "json", status: 200, body: read.kind === "session" ? read.session : null };
}

/** POST `session`: calls the callbacks with trigger `update` and `data`; responds with the updated session, or null. */
export async function updateSession(context: ActionContext): Promise<AuthResult> {
  const body = await strategyOf(context.config).update(context, context.request.body.get("data"));
  return { kind: "json", status: 200, body };
}
