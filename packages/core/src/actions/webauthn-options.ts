import { providerOf } from "../context/create-context.ts";
import type { ActionContext } from "../model/context.ts";
import { InvalidRequest } from "../model/errors.ts";
import type { ResolvedProvider, ResolvedWebAuthnProvider } from "../model/resolved-provider.ts";
import type { AuthResult } from "../model/result.ts";
import { versionOf } from "../pages/script-element.ts";
import { ownWayOf } from "../sign-in/own-way.ts";

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

/** Seconds in a year, the longest useful cache lifetime. */
const YEAR = 365 * 24 * 60 * 60;

/**
 * GET `webauthn-script`: the passkey script of the sign-in page, the same for everyone. The version in the page's URL never
 * changes; for any other version the response must be revalidated, so that caches do not confuse versions. The library serves the
 * script itself: a script of a CDN, as in Auth.js, could sign in as any user, and an inline script would be sent with each page.
 */
export async function webauthnScript({ query, config }: ActionContext): Promise<AuthResult> {
  const provider = [...config.providers.values()].find((one) => one.kind === "webauthn");
  if (provider?.kind !== "webauthn")
    return { kind: "json", status: 404, body: { message: "Passkeys are not enabled." } };
  const { script } = provider.way;
  const isVersion = query.get("v") === versionOf(script.integrity);
  return { kind: "script", body: await script.load(), maxAge: isVersion ? YEAR : 0 };
}
