import { type FlowContext, strategyOf } from "@cardea/core/extension-host";
import type { ActionRequest } from "@cardea/core/extension-kit";
import { openFound } from "./opened-session.ts";

/**
 * Who asks in a request; see {@link import("@cardea/core/extension-kit").RequestTools.requester}. Outside of an action, the session is not
 * checked: extensions that check one may ask.
 *
 * @throws SessionUnavailable, AdapterError, and errors of the store.
 */
export async function findRequester(context: FlowContext, action: ActionRequest | undefined): Promise<string | null> {
  if (action === undefined) return nameOf("session", (await findSession(context))?.sid);
  const isNamed = action.query.has("pending") || action.body.has("pending");
  const session = isNamed ? null : await action.session();
  return session === null ? nameOf("pending", (await action.pendingSignIn())?.id) : nameOf("session", session.sid);
}

async function findSession(context: FlowContext) {
  const sole = await strategyOf(context.config).findSole(context);
  return sole && openFound(context.config, sole);
}

/** A session whose token has no id cannot be told from others. */
function nameOf(kind: "session" | "pending", id = ""): string | null {
  return id === "" ? null : `${kind} ${id}`;
}
