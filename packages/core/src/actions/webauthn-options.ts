import { methodOf, providerOf } from "../context/create-context.ts";
import type { ActionContext } from "../model/context.ts";
import { InvalidRequest } from "../model/errors.ts";
import type { ResolvedProvider } from "../model/resolved-provider.ts";
import type { AuthResult } from "../model/result.ts";
import { versionOf } from "../pages/script-element.ts";

/**
 * GET `webauthn-options/{id}`: starts a passkey call of the browser (docs/behaviour.md#actions). It creates a challenge, so it
 * accepts neither requests from other sites nor prefetches.
 */
export async function webauthnOptions(context: ActionContext): Promise<AuthResult> {
  const provider = scriptedProviderOf(context);
  const start = provider && (await methodOf(context.config, provider).load()).startInBrowser;
  if (
    provider === undefined ||
    start === undefined ||
    !["register", "authenticate", null].includes(context.query.get("action"))
  ) {
    throw new InvalidRequest(
      "The request must name a passkey provider, and `action=register` or `action=authenticate`.",
      400,
    );
  }
  return start(context, provider);
}

/** The provider in the path; without one, the only one whose sign-in starts in a script. */
function scriptedProviderOf(context: ActionContext): ResolvedProvider | undefined {
  const { config, providerId } = context;
  const [only, ...others] = [...config.providers.values()].filter((one) => methodOf(config, one).script !== undefined);
  return providerId === undefined && others.length === 0 ? only : providerOf(context);
}

/** Seconds in a year, the longest useful cache lifetime. */
const YEAR = 365 * 24 * 60 * 60;

/**
 * GET `webauthn-script`: the passkey script of the sign-in page, the same for everyone. The version in the page's URL never
 * changes; for any other version the response must be revalidated, so that caches do not confuse versions. The library serves the
 * script itself: a script of a CDN, as in Auth.js, could sign in as any user, and an inline script would be sent with each page.
 */
export async function webauthnScript({ query, config }: ActionContext): Promise<AuthResult> {
  const [script] = [...config.providers.values()].flatMap((one) => methodOf(config, one).script ?? []);
  if (script === undefined) return { kind: "json", status: 404, body: { message: "Passkeys are not enabled." } };
  const isVersion = query.get("v") === versionOf(script.integrity);
  return { kind: "script", body: await script.load(), maxAge: isVersion ? YEAR : 0 };
}
