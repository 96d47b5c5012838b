import { refuseOwnWay, startOwnWay } from "../flows/own-way.ts";
import { isPrefetch } from "../flows/prefetch.ts";
import { providerOf } from "../flows/require-provider.ts";
import type { ActionContext } from "../model/context.ts";
import { InvalidRequest, MissingCSRF } from "../model/errors.ts";
import type { ResolvedProvider, ResolvedWebAuthnProvider } from "../model/resolved-config.ts";
import type { AuthResult } from "../model/result.ts";
import { checkRequestSource } from "../protocol/csrf-token.ts";

/**
 * GET `webauthn-options/{id}`: starts a passkey call of the browser (docs/behaviour.md#actions). It creates a challenge, so it
 * accepts neither requests from other sites nor prefetches.
 */
export async function webauthnOptions(context: ActionContext): Promise<AuthResult> {
  const { query, request } = context;
  const { headers } = request;
  const provider = passkeyProviderOf(context);
  if (provider === undefined || !["register", "authenticate", null].includes(query.get("action"))) {
    throw new InvalidRequest(
      "The request must name a passkey provider, and `action=register` or `action=authenticate`.",
      400,
    );
  }
  const source = { origin: headers.get("origin"), secFetchSite: headers.get("sec-fetch-site") };
  if (checkRequestSource(source, context.origin) === "cross-site") {
    throw new MissingCSRF("A page of another site requested the passkey options.", "cross-site");
  }
  // No 2xx, or a browser would show this response on the real visit (RFC 8470 §5.2: Too Early).
  if (isPrefetch(request)) return { kind: "empty", status: 425 };
  if ((await refuseOwnWay(context, provider)) !== null) {
    context.logger.warn(
      `webauthn-attempt-refused: callbacks.allowAttempt denied passkey options for provider "${provider.id}".`,
    );
    return { kind: "json", status: 429, body: { message: "Too many attempts." } };
  }
  return { kind: "json", status: 200, body: await startOwnWay(context, provider) };
}

/** The provider in the path; without one, the only passkey provider. */
function passkeyProviderOf(context: ActionContext): ResolvedWebAuthnProvider | undefined {
  const isPasskey = (one: ResolvedProvider) => one.kind === "webauthn";
  const all = [...context.config.providers.values()].filter(isPasskey);
  const provider = context.providerId === undefined && all.length === 1 ? all[0] : providerOf(context);
  return provider?.kind === "webauthn" ? provider : undefined;
}
