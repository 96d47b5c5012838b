import type { ActionAnswer, ActionRequest, RequestTools } from "@cardea/core/extend";
import { checkLogoutToken, type LogoutToken } from "./check-logout-token.ts";
import type { LogoutOptions } from "./settings.ts";

const HEADERS = { "cache-control": "no-store" } as const;

/**
 * POST `backchannel/{provider}`: a provider ends a session (OIDC Back-Channel Logout §2.5 to §2.8).
 *
 * 1. The token is the provider's, for this client, and a logout token.
 * 2. The end is written before `jti` is noted: what is cut short in between is done again by the provider's retry.
 * 3. 200 only when both are written. Anything else is 400, and the provider may try again.
 */
export async function backchannel(
  action: ActionRequest,
  t: RequestTools,
  { allowMissingType = false }: LogoutOptions,
): Promise<ActionAnswer> {
  const token = action.body.get("logout_token");
  const provider = action.segment === undefined ? null : await t.provider(action.segment);
  if (provider === null || typeof token !== "string")
    return refuse("`logout_token` of a configured provider is missing");
  try {
    const verified = await provider.verifyJwt(token, { types: ["logout+jwt"], allowsMissingType: allowMissingType });
    if (verified.kind === "refused") return report(t, provider.id, verified.why);
    const checked = checkLogoutToken(verified.claims, t.now());
    if (typeof checked === "string") return report(t, provider.id, checked);
    await endOnce(t, checked);
    return { kind: "empty", status: 200, headers: HEADERS };
  } catch (error) {
    t.logger.error(
      new Error(`logout: a logout token of provider "${provider.id}" could not be processed.`, { cause: error }),
    );
    return refuse("The logout could not be completed. Try again.");
  }
}

/** A repeated token about an account would end sessions that began since; one about a session ends the same one again. */
async function endOnce(t: RequestTools, { iss, jti, sub, sid, until }: LogoutToken): Promise<void> {
  if (t.store === undefined) throw new TypeError("logout: `backchannel` needs a `store` (docs/stores.md).");
  const key = await t.permanentKey("jti", iss, jti);
  if ((await t.store.get(key)) !== null) return;
  const { sessionEndsOf } = await import("@cardea/sessions");
  const ends = sessionEndsOf(t);
  if (sid !== undefined) await ends.endProviderSession({ iss, sid, ...(sub === undefined ? {} : { sub }) });
  else if (sub !== undefined) await ends.endProviderAccount({ iss, sub });
  await t.store.set(key, "1", { ttl: Math.max(60, until - t.now()) });
}

function report(t: RequestTools, provider: string, why: string): ActionAnswer {
  t.logger.warn(`logout-token-refused: a logout token of provider "${provider}" was refused: ${why}.`);
  return refuse(`The logout token was refused: ${why}.`);
}

function refuse(error_description: string): ActionAnswer {
  return { kind: "json", status: 400, body: { error: "invalid_request", error_description }, headers: HEADERS };
}
