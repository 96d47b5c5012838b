import { providerOf, requireProvider } from "../context/create-context.ts";
import { confirmLink } from "../flows/email/finish.ts";
import { completeSignIn, withUndo } from "../flows/run-sign-in.ts";
import { wayOf } from "../flows/ways.ts";
import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";

/** GET and POST `callback/{id}`: the provider callback, or the credentials form (docs/behaviour.md#actions). */
export async function callback(context: ActionContext): Promise<AuthResult> {
  const provider = requireProvider(context);
  const way = wayOf(provider);
  const method = way.method(context, provider);
  if (method !== null && context.request.method !== method) {
    return { kind: "json", status: 405, body: { message: `Use ${method}.` }, headers: { allow: method } };
  }
  return withUndo(context, async (undo) => {
    const finished = await way.finish(context, provider, undo);
    if (finished.kind === "answer") return finished.result;
    const { url, code } = await completeSignIn(context, finished, undo);
    return { kind: "redirect", url, ...(code === undefined ? {} : { body: { code } }) };
  });
}

/**
 * The response to a confirmation that came too late: the same button, with a new token. Other callbacks have nothing to
 * repeat.
 */
export async function staleCallback(context: ActionContext): Promise<AuthResult | null> {
  const provider = providerOf(context);
  return provider?.kind === "email" ? confirmLink(context, provider, 403) : null;
}
