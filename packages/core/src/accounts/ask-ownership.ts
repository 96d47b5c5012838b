import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import type { AdapterUser } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { CallbackRouteError } from "../model/errors.ts";

/**
 * Asks the application, once in a request, about a user who never verified their address: whether they belong to its owner (`ownsAddress`
 * of an e-mail provider), or whether a provider is the authority for it (`ownsAddresses`). Only `true` counts; a failure is logged and does
 * not count.
 */
export function askOwnership(
  context: FlowContext,
  hook: { readonly name: "ownsAddress" | "ownsAddresses"; readonly provider: string; readonly call: () => unknown },
  { id }: AdapterUser,
): Promise<boolean> {
  const { ownership } = context.state;
  const key = JSON.stringify([hook.provider, id]);
  const answer = ownership.get(key) ?? ask(context, hook);
  ownership.set(key, answer);
  return answer;
}

async function ask(
  { logger }: FlowContext,
  { name, provider, call }: Parameters<typeof askOwnership>[1],
): Promise<boolean> {
  try {
    const answer: unknown = await withTimeout(APPLICATION_TIMEOUT_MS, call());
    return answer === true;
  } catch (error) {
    const cause = { err: toError(error), provider };
    logger.error(new CallbackRouteError(`${name}() of provider "${provider}" threw.`, { cause }));
    return false;
  }
}
