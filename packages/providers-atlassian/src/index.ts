import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";

/**
 * The members of Atlassian's user response that are used here
 * (https://developer.atlassian.com/cloud/confluence/user-identity-api/).
 */
export interface AtlassianProfile {
  /** The user's id, the same in all Atlassian products. */
  readonly account_id: string;
  /** The display name. */
  readonly name: string;
  /** Absent if the user hides it. */
  readonly email?: string;
  /** URL of the avatar. */
  readonly picture?: string;
  /** The public name. */
  readonly nickname?: string;
  /** `active`, `inactive` or `closed`. */
  readonly account_status?: string;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Atlassian. Client id and secret come from the options, or from `AUTH_ATLASSIAN_ID` and
 * `AUTH_ATLASSIAN_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Atlassian(options: OAuthUserConfig<AtlassianProfile> = {}): OAuth2Provider<AtlassianProfile> {
  return {
    id: "atlassian",
    name: "Atlassian",
    type: "oauth",
    authorization: {
      url: "https://auth.atlassian.com/authorize",
      params: { audience: "api.atlassian.com", scope: "read:me", prompt: "consent" },
    },
    token: { url: "https://auth.atlassian.com/oauth/token" },
    userinfo: { url: "https://api.atlassian.com/me" },
    client: { token_endpoint_auth_method: "client_secret_post" },
    // Atlassian does not document PKCE.
    checks: ["state"],
    profile({ account_id, name, email, picture }) {
      return { id: account_id, name, email: email ?? null, image: picture ?? null };
    },
    style: { bg: "#0052cc", text: "#ffffff" },
    options: providerOptions("Atlassian", options),
  };
}

export default Atlassian;
