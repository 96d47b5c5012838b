import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { versionOf } from "../pages/passkey-form.ts";
import { PASSKEY_SCRIPT, PASSKEY_SCRIPT_HASH } from "../pages/passkey-script.ts";

/** Seconds in a year: as long as caches keep anything. */
const YEAR = 365 * 24 * 60 * 60;

/**
 * GET `webauthn-script`: the script of the sign-in page that talks to authenticators, the same for everyone. Under the version
 * that the page names it never changes; under any other it is asked for again each time, so that no cache mistakes one for another.
 */
export async function webauthnScript({ query, config }: ActionContext): Promise<AuthResult> {
  const hasPasskeys = [...config.providers.values()].some(({ kind }) => kind === "webauthn");
  if (!hasPasskeys) return { kind: "json", status: 404, body: { message: "Passkeys are not enabled." } };
  const isVersion = query.get("v") === versionOf(PASSKEY_SCRIPT_HASH);
  return { kind: "script", body: PASSKEY_SCRIPT, maxAge: isVersion ? YEAR : 0 };
}
