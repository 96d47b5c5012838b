import type { ActionContext } from "../model/context.ts";
import { InvalidProvider } from "../model/errors.ts";
import type { ResolvedProvider } from "../model/resolved-config.ts";

/** The provider that the path names; undefined when it names none that is configured. */
export function providerOf(context: ActionContext): ResolvedProvider | undefined {
  return context.providerId === undefined ? undefined : context.config.providers.get(context.providerId);
}

/**
 * The provider that the path names.
 *
 * @throws InvalidProvider when none of that id is configured; nothing of the path is repeated.
 */
export function requireProvider(context: ActionContext): ResolvedProvider {
  const provider = providerOf(context);
  if (provider === undefined) throw new InvalidProvider("No provider with this id is configured.");
  return provider;
}
