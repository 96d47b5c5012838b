import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";
import { LOGO } from "./logo.ts";

/** The claims of Twitch's ID tokens (https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/). */
export interface TwitchProfile {
  /** The user's id. */
  readonly sub: string;
  /** The display name. */
  readonly preferred_username: string;
  /** The e-mail address; absent without the scope `user:read:email`. */
  readonly email?: string;
  /** Whether the address is verified. */
  readonly email_verified?: boolean;
  /** URL of the profile picture. */
  readonly picture?: string;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Twitch. Client id and secret come from the options, or from `AUTH_TWITCH_ID` and `AUTH_TWITCH_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Twitch(options: OIDCUserConfig<TwitchProfile> = {}): OIDCProvider<TwitchProfile> {
  return {
    id: "twitch",
    name: "Twitch",
    type: "oidc",
    issuer: "https://id.twitch.tv/oauth2",
    authorization: {
      params: {
        scope: "openid user:read:email",
        claims: { id_token: { email: null, email_verified: null, picture: null, preferred_username: null } },
      },
    },
    token: { conform },
    client: { token_endpoint_auth_method: "client_secret_post" },
    style: { logo: LOGO, bg: "#772ce8", text: "#ffffff" },
    options: providerOptions("Twitch", options),
  };
}

/** The messages for a code or refresh token that is used, expired or revoked (https://dev.twitch.tv/docs/authentication/refresh-tokens/). */
const REFUSED_GRANT = /^invalid (?:authorization code|refresh token)/i;

/**
 * Twitch returns granted scopes as a list, where RFC 6749 §3.3 has one string, and errors as `{ status, message }`, where §5.2
 * has `error` (https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/).
 */
async function conform(response: Response): Promise<Response | undefined> {
  if (!response.ok) {
    const { message } = Object(await response.json().catch(() => null));
    if (typeof message !== "string") return undefined;
    const error = REFUSED_GRANT.test(message) ? "invalid_grant" : "invalid_request";
    return Response.json({ error, error_description: message }, { status: 400 });
  }
  const { scope, ...tokens } = await response.json();
  return Response.json({ ...tokens, ...(Array.isArray(scope) ? { scope: scope.join(" ") } : {}) });
}

export default Twitch;
