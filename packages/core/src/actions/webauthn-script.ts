import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { versionOf } from "../pages/passkey-form.ts";
import { PASSKEY_SCRIPT, PASSKEY_SCRIPT_HASH } from "../pages/passkey-script.ts";

/** Seconds in a year, the longest useful cache lifetime. */
const YEAR = 365 * 24 * 60 * 60;

/**
 * GET `webauthn-script`: the passkey script of the sign-in page, the same for everyone. The version in the page's URL never
 * changes; for any other version the response must be revalidated, so that caches do not confuse versions.
 */
export async function webauthnScript({ query, config }: ActionContext): Promise<AuthResult> {
  const hasPasskeys = [...config.providers.values()].some(({ kind }) => kind === "webauthn");
  if (!hasPasskeys) return { kind: "json", status: 404, body: { message: "Passkeys are not enabled." } };
  const isVersion = query.get("v") === versionOf(PASSKEY_SCRIPT_HASH);
  return { kind: "script", body: PASSKEY_SCRIPT, maxAge: isVersion ? YEAR : 0 };
}
