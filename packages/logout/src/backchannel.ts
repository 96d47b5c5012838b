import type { ActionAnswer, ActionRequest, RequestTools } from "@cardea/extend";
import { checkLogoutToken, type LogoutToken } from "./check-logout-token.ts";
import type { LogoutOptions } from "./settings.ts";

const HEADERS = { "cache-control": "no-store" } as const;

/**
 * Types that are accepted, in lower case. `JWT` is what providers send that implemented a draft, such as Keycloak before 25. Only a logout token has the logout event, and
 * no `nonce` (OIDC Back-Channel Logout §2.4), so nothing else can be meant.
 */
const TYPES = ["logout+jwt", "jwt"];

/**
 * POST `backchannel/{provider}`: a provider ends a session (OIDC Back-Channel Logout §2.5 to §2.8).
 *
 * 1. The token is a valid logout token from the provider, for this client.
 * 2. The session ends before `jti` is recorded, so that the provider's retry completes an interrupted request.
 * 3. 200 only if both are written. Otherwise 400, and the provider may retry.
 */
export async function backchannel(
  action: ActionRequest,
  t: RequestTools,
  { allowMissingType = false }: LogoutOptions,
): Promise<ActionAnswer> {
  const token = action.body.get("logout_token");
  const provider = action.segment === undefined ? null : await t.provider(action.segment);
  if (provider === null || typeof token !== "string")
    return refuse("`logout_token` is missing or from an unknown provider");
  try {
    const verified = await provider.verifyJwt(token, { types: TYPES, allowsMissingType: allowMissingType });
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

/**
 * Replaying a token for an account would end newer sessions; replaying one for a session ends the same session again.
 */
async function endOnce(t: RequestTools, { iss, jti, sub, sid, until }: LogoutToken): Promise<void> {
  if (t.store === undefined) throw new TypeError("logout(): `backchannel` requires a `store` (docs/stores.md).");
  const key = await t.permanentKey("jti", iss, jti);
  if ((await t.store.get(key)) !== null) return;
  const { sessionEndsOf } = await import("@cardea/sessions");
  const ends = sessionEndsOf(t);
  if (sid !== undefined) await ends.endProviderSession({ iss, sid, ...(sub === undefined ? {} : { sub }) });
  else if (sub !== undefined) await ends.endProviderAccount({ iss, sub });
  await t.store.set(key, "1", { ttl: Math.max(60, until - t.now()) });
}

function report(t: RequestTools, provider: string, why: string): ActionAnswer {
  t.logger.warn(`logout-token-refused: a logout token from provider "${provider}" was rejected:`, `${why}.`);
  return refuse(`Invalid logout token: ${why}.`);
}

function refuse(error_description: string): ActionAnswer {
  return { kind: "json", status: 400, body: { error: "invalid_request", error_description }, headers: HEADERS };
}
