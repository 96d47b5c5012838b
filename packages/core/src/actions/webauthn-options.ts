import { originalRequest } from "../context/original-request.ts";
import { refuseAttempt } from "../flows/allow-attempt.ts";
import { isPrefetch } from "../flows/prefetch.ts";
import { providerOf } from "../flows/require-provider.ts";
import { startWebAuthn } from "../flows/webauthn/start.ts";
import type { ActionContext } from "../model/context.ts";
import { InvalidRequest, MissingCSRF } from "../model/errors.ts";
import type { ResolvedProvider, ResolvedWebAuthnProvider } from "../model/resolved-config.ts";
import type { AuthResult } from "../model/result.ts";
import { checkRequestSource } from "../protocol/csrf-token.ts";
import { parseCeremony } from "../protocol/webauthn-response.ts";

/**
 * GET `webauthn-options/{id}`: options for the browser's passkey call (docs/behaviour.md#actions). It creates a challenge,
 * so it accepts neither requests from other sites nor prefetches.
 */
export async function webauthnOptions(context: ActionContext): Promise<AuthResult> {
  const { query, request } = context;
  const { headers } = request;
  const provider = passkeyProviderOf(context);
  const named = query.get("action");
  const ceremony = named === null ? undefined : parseCeremony(named);
  if (provider === undefined || ceremony === null) {
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
  const attempt = { provider: provider.id, type: "webauthn", request: originalRequest(request) } as const;
  if ((await refuseAttempt(context, attempt)) !== null) {
    context.logger.warn(
      `webauthn-attempt-refused: callbacks.allowAttempt denied passkey options for provider "${provider.id}".`,
    );
    return { kind: "json", status: 429, body: { message: "Too many attempts." } };
  }
  return { kind: "json", status: 200, body: await startWebAuthn(context, provider, { ceremony, query, headers }) };
}

/** The provider in the path; without one, the only passkey provider. */
function passkeyProviderOf(context: ActionContext): ResolvedWebAuthnProvider | undefined {
  const isPasskey = (one: ResolvedProvider) => one.kind === "webauthn";
  const all = [...context.config.providers.values()].filter(isPasskey);
  const provider = context.providerId === undefined && all.length === 1 ? all[0] : providerOf(context);
  return provider?.kind === "webauthn" ? provider : undefined;
}
