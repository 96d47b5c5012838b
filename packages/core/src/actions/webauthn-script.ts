import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { versionOf } from "../pages/script-element.ts";

/** Seconds in a year, the longest useful cache lifetime. */
const YEAR = 365 * 24 * 60 * 60;

/**
 * GET `webauthn-script`: the passkey script of the sign-in page, the same for everyone. The version in the page's URL never
 * changes; for any other version the response must be revalidated, so that caches do not confuse versions.
 */
export async function webauthnScript({ query, config }: ActionContext): Promise<AuthResult> {
  const provider = [...config.providers.values()].find((one) => one.kind === "webauthn");
  if (provider?.kind !== "webauthn")
    return { kind: "json", status: 404, body: { message: "Passkeys are not enabled." } };
  const { script } = provider.way;
  const isVersion = query.get("v") === versionOf(script.integrity);
  return { kind: "script", body: await script.load(), maxAge: isVersion ? YEAR : 0 };
}
