import { originalRequest } from "../context/original-request.ts";
import { proveOnce, refuseAttempt } from "../flows/allow-attempt.ts";
import { carrierOf, type OwnWay } from "../flows/own-way.ts";
import { isPrefetch } from "../flows/prefetch.ts";
import { resolveCallbackUrl } from "../flows/redirect.ts";
import type { ActionContext, FlowContext } from "../model/context.ts";
import { AccessDenied, MissingCSRF } from "../model/errors.ts";
import type { ResolvedWebAuthnProvider } from "../model/resolved-provider.ts";
import { checkRequestSource } from "../protocol/csrf-token.ts";
import type { OwnWayIdentity } from "../users/identity.ts";
import { createSignInTools } from "./sign-in-tools.ts";

/** Signs in with the sign-in method of a provider object (docs/extensions.md#a-way-to-sign-in). */
export const ownWay: OwnWay = {
  async startInBrowser(context, provider) {
    const { headers } = context.request;
    const source = { origin: headers.get("origin"), secFetchSite: headers.get("sec-fetch-site") };
    if (checkRequestSource(source, context.origin) === "cross-site") {
      throw new MissingCSRF("A page of another site requested the passkey options.", "cross-site");
    }
    // No 2xx, or a browser would show this response on the real visit (RFC 8470 §5.2: Too Early).
    if (isPrefetch(context.request)) return { kind: "empty", status: 425 };
    if ((await refuse(context, provider)) !== null) {
      context.logger.warn(
        `webauthn-attempt-refused: callbacks.allowAttempt denied passkey options for provider "${provider.id}".`,
      );
      return { kind: "json", status: 429, body: { message: "Too many attempts." } };
    }
    const tools = createSignInTools(context, provider, context.request);
    return { kind: "json", status: 200, body: await provider.way.start(context.query, tools) };
  },

  async finish(context, provider) {
    const callbackUrl = await resolveCallbackUrl(context);
    const refused = await refuse(context, provider);
    if (refused !== null) throw new AccessDenied("Too many attempts.", { cause: { ...refused } });
    const tools = createSignInTools(context, provider, context.request);
    const proof = await proveOnce(context, () => provider.way.finish(context.request.body, tools));
    return { kind: "proven", identity: { ...proof, kind: "webauthn" }, callbackUrl };
  },

  async findUser(context, provider, identity) {
    return provider.way.findUser(identity, createSignInTools(context, provider));
  },

  async decideUser(context, provider, identity) {
    return provider.way.decideUser(identity, createSignInTools(context, provider));
  },
};

/** The identity as it is after its sign-in waited; null if it counts no longer. */
export async function reviveOwnWay(context: FlowContext, identity: OwnWayIdentity): Promise<OwnWayIdentity | null> {
  const provider = carrierOf(context, identity);
  const proof = await provider.way.revive(identity, createSignInTools(context, provider));
  return proof && { ...proof, kind: "webauthn" };
}

/** Calls `allowAttempt`; null if the attempt is allowed. */
function refuse(context: ActionContext, { id, type }: ResolvedWebAuthnProvider) {
  return refuseAttempt(context, { provider: id, type, request: originalRequest(context.request) });
}
