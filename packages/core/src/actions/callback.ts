import { methodOf, providerOf, requireProvider } from "../context/create-context.ts";
import { isPrefetch } from "../context/request-facts.ts";
import type { Ceremony } from "../cookies/pending.ts";
import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { deliverOnce, leadOn } from "../sign-in/deliver-once.ts";
import { runSignIn } from "../sign-in/run-sign-in.ts";

/** GET and POST `callback/{id}`: the provider callback, or the credentials form (docs/behaviour.md#actions). */
export async function callback(context: ActionContext): Promise<AuthResult> {
  const provider = requireProvider(context);
  const loaded = await methodOf(context.config, provider).load();
  const method = loaded.method(context, provider);
  if (method !== null && context.request.method !== method) {
    return { kind: "json", status: 405, body: { message: `Use ${method}.` }, headers: { allow: method } };
  }
  return deliverOnce(context, await deliveryOf(context), async (done) => {
    const end = await runSignIn(context, (undo) => loaded.finish(context, provider, undo));
    return "result" in end ? end.result : done(end);
  });
}

/** The provider, and the secret that this request returns to it; null if none does, and for a prefetch, which decides nothing. */
async function deliveryOf(context: ActionContext): Promise<Ceremony | null> {
  if (isPrefetch(context.request)) return null;
  const provider = requireProvider(context);
  const { secret: secretOf } = await methodOf(context.config, provider).load();
  const secret = await secretOf?.(context, provider);
  return secret ? { provider, secret } : null;
}

/** The response to a form that was open for too long: onward if it has signed in this browser, otherwise as its sign-in method decides. */
export async function staleCallback(context: ActionContext): Promise<AuthResult | null> {
  const provider = providerOf(context);
  const { finishStale } = provider === undefined ? {} : await methodOf(context.config, provider).load();
  if (provider === undefined || finishStale === undefined) return null;
  return (await leadOn(context, await deliveryOf(context))) ?? finishStale(context, provider);
}
