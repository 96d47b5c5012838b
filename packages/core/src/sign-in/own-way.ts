import type { ActionContext, FlowContext } from "../model/context.ts";
import { InvalidProvider } from "../model/errors.ts";
import type { OwnWayIdentity } from "../model/identity.ts";
import type { ResolvedWebAuthnProvider } from "../model/resolved-provider.ts";
import type { AuthResult } from "../model/result.ts";
import { OWN_WAY } from "../model/sign-in-way.ts";
import type { Finished } from "./way.ts";

type Provider = ResolvedWebAuthnProvider;

/**
 * How core signs in by the way that a provider object brings (docs/extensions.md#a-way-to-sign-in). The way brings this as well, so that
 * an application without one has none of it.
 */
export interface OwnWay {
  /** Starts the sign-in: the JSON for the page's script. Accepts neither requests from other sites nor prefetches. */
  startInBrowser(context: ActionContext, provider: Provider): Promise<AuthResult>;
  /**
   * Completes the sign-in. Nothing is checked before the attempt is allowed.
   *
   * @throws AccessDenied, and errors of the sign-in method.
   */
  finish(context: ActionContext, provider: Provider): Promise<Finished<OwnWayIdentity>>;
}

/** Loaded with the first request for it. Only `defineSignInWay` puts it there; a provider without it was refused at start. */
export function ownWayOf({ way }: Provider): Promise<OwnWay> {
  const load = Reflect.get(way, OWN_WAY) as () => Promise<OwnWay>;
  return load();
}

/** The provider that an identity was proved by. @throws InvalidProvider if it is not configured. */
export function carrierOf({ config }: FlowContext, { account }: OwnWayIdentity): Provider {
  const provider = config.providers.get(account.provider);
  if (provider?.kind === "webauthn") return provider;
  throw new InvalidProvider("The provider of this sign-in is not configured.");
}
