import { originalRequest } from "../context/original-request.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { ActionContext, FlowContext, ParsedRequest } from "../model/context.ts";
import { AccessDenied, InvalidProvider } from "../model/errors.ts";
import type { ResolvedWebAuthnProvider } from "../model/resolved-config.ts";
import type { SignInDecision, SignInTools } from "../model/sign-in-way.ts";
import { MAKE_TOOLS, type WayToolsMaker } from "../model/way-tools.ts";
import type { OwnWayIdentity } from "../users/identity.ts";
import { proveOnce, type RefusedAttempt, refuseAttempt } from "./allow-attempt.ts";
import { resolveCallbackUrl } from "./redirect.ts";
import type { Finished } from "./way.ts";

/** Signs in by the way that a provider object brings (docs/extensions.md#a-way-to-sign-in). */

/**
 * Completes the sign-in. Before an attempt is allowed, nothing of it is checked.
 *
 * @throws AccessDenied, what the way throws.
 */
export async function finishOwnWay(
  context: ActionContext,
  provider: ResolvedWebAuthnProvider,
): Promise<Finished<OwnWayIdentity>> {
  const callbackUrl = await resolveCallbackUrl(context);
  const refused = await refuseOwnWay(context, provider);
  if (refused !== null) throw new AccessDenied("Too many attempts.", { cause: { ...refused } });
  const tools = await makeTools(context, provider, context.request);
  const proof = await proveOnce(context, () => provider.way.finish(context.request.body, tools));
  return { kind: "proven", identity: { ...proof, kind: "webauthn" }, callbackUrl };
}

/** Starts the sign-in: the JSON for the page's script. */
export async function startOwnWay(context: ActionContext, provider: ResolvedWebAuthnProvider): Promise<object> {
  return provider.way.start(context.query, await makeTools(context, provider, context.request));
}

/** Asks whether an attempt may be made; null where it may. */
export function refuseOwnWay(
  context: ActionContext,
  provider: ResolvedWebAuthnProvider,
): Promise<RefusedAttempt | null> {
  const { id, type } = provider;
  return refuseAttempt(context, { provider: id, type, request: originalRequest(context.request) });
}

/** The user to whom the account of an identity already belongs. */
export async function findOwnWayUser(context: FlowContext, identity: OwnWayIdentity): Promise<AdapterUser | null> {
  const provider = providerOf(context, identity);
  return provider.way.findUser(identity, await makeTools(context, provider));
}

/** Decides who the user of an identity is. */
export async function decideOwnWayUser(context: FlowContext, identity: OwnWayIdentity): Promise<SignInDecision> {
  const provider = providerOf(context, identity);
  return provider.way.decideUser(identity, await makeTools(context, provider));
}

/** The identity as it is after its sign-in waited; null if it counts no longer. */
export async function reviveOwnWay(context: FlowContext, identity: OwnWayIdentity): Promise<OwnWayIdentity | null> {
  const provider = providerOf(context, identity);
  const proof = await provider.way.revive(identity, await makeTools(context, provider));
  return proof && { ...proof, kind: "webauthn" };
}

function providerOf({ config }: FlowContext, { account }: OwnWayIdentity): ResolvedWebAuthnProvider {
  const provider = config.providers.get(account.provider);
  if (provider?.kind === "webauthn") return provider;
  throw new InvalidProvider("The provider of this sign-in is not configured.");
}

/** Only `defineSignInWay` puts something under the symbol; a provider without it was refused at start. */
function makeTools(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  request?: ParsedRequest,
): Promise<SignInTools> {
  const make = Reflect.get(provider.way, MAKE_TOOLS) as WayToolsMaker;
  return make(context, provider, request);
}
