import { ownWayOf } from "../flows/own-way.ts";
import { providerOf } from "../flows/require-provider.ts";
import type { ActionContext } from "../model/context.ts";
import { InvalidRequest } from "../model/errors.ts";
import type { ResolvedProvider, ResolvedWebAuthnProvider } from "../model/resolved-provider.ts";
import type { AuthResult } from "../model/result.ts";

/**
 * GET `webauthn-options/{id}`: starts a passkey call of the browser (docs/behaviour.md#actions). It creates a challenge, so it
 * accepts neither requests from other sites nor prefetches.
 */
export async function webauthnOptions(context: ActionContext): Promise<AuthResult> {
  const provider = passkeyProviderOf(context);
  if (provider === undefined || !["register", "authenticate", null].includes(context.query.get("action"))) {
    throw new InvalidRequest(
      "The request must name a passkey provider, and `action=register` or `action=authenticate`.",
      400,
    );
  }
  return (await ownWayOf(provider)).startInBrowser(context, provider);
}

/** The provider in the path; without one, the only passkey provider. */
function passkeyProviderOf(context: ActionContext): ResolvedWebAuthnProvider | undefined {
  const isPasskey = (one: ResolvedProvider) => one.kind === "webauthn";
  const all = [...context.config.providers.values()].filter(isPasskey);
  const provider = context.providerId === undefined && all.length === 1 ? all[0] : providerOf(context);
  return provider?.kind === "webauthn" ? provider : undefined;
}
