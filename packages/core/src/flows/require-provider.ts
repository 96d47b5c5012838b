import type { ActionContext } from "../model/context.ts";
import { InvalidProvider } from "../model/errors.ts";
import type { ResolvedProvider } from "../model/resolved-provider.ts";

/** The provider in the path; undefined if it is not configured. */
export function providerOf(context: ActionContext): ResolvedProvider | undefined {
  return context.providerId === undefined ? undefined : context.config.providers.get(context.providerId);
}

/**
 * The provider in the path.
 *
 * @throws InvalidProvider if it is not configured; the path is not echoed.
 */
export function requireProvider(context: ActionContext): ResolvedProvider {
  const provider = providerOf(context);
  if (provider === undefined) throw new InvalidProvider("No provider with this id is configured.");
  return provider;
}
