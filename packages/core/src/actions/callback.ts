import { providerOf, requireProvider } from "../context/create-context.ts";
import { isPrefetch } from "../context/request-facts.ts";
import type { Ceremony } from "../cookies/pending.ts";
import { confirmLink } from "../email/finish.ts";
import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { deliverOnce, leadOn } from "../sign-in/deliver-once.ts";
import { runSignIn } from "../sign-in/run-sign-in.ts";
import { wayOf } from "../sign-in/ways.ts";

/** GET and POST `callback/{id}`: the provider callback, or the credentials form (docs/behaviour.md#actions). */
export async function callback(context: ActionContext): Promise<AuthResult> {
  const provider = requireProvider(context);
  const way = wayOf(provider);
  const method = way.method(context, provider);
  if (method !== null && context.request.method !== method) {
    return { kind: "json", status: 405, body: { message: `Use ${method}.` }, headers: { allow: method } };
  }
  return deliverOnce(context, await deliveryOf(context), async (done) => {
    const end = await runSignIn(context, (undo) => way.finish(context, provider, undo));
    return "result" in end ? end.result : done(end);
  });
}

/** The provider, and the secret that this request returns to it; null if none does, and for a prefetch, which decides nothing. */
async function deliveryOf(context: ActionContext): Promise<Ceremony | null> {
  if (isPrefetch(context.request)) return null;
  const provider = requireProvider(context);
  const secret = await wayOf(provider).secret(context, provider);
  return secret === null || secret === "" ? null : { provider, secret };
}

/**
 * The response to a confirmation that came too late: onward if it has signed in this browser, otherwise the same button, with a new
 * token. Other callbacks have nothing to repeat.
 */
export async function staleCallback(context: ActionContext): Promise<AuthResult | null> {
  const provider = providerOf(context);
  if (provider?.kind !== "email") return null;
  return (await leadOn(context, await deliveryOf(context))) ?? confirmLink(context, provider, 403);
}
