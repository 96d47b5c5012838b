import type { OAuth2Provider, OAuthUserConfig } from "@cardea/core/providers";

/**
 * The members of LinkedIn's user response that are used here
 * (https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2).
 */
export interface LinkedInProfile {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly picture?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly [member: string]: unknown;
}

/**
 * Sign-in with LinkedIn. Client id and secret come from the options, or from `AUTH_LINKEDIN_ID` and `AUTH_LINKEDIN_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function LinkedIn(options: OAuthUserConfig<LinkedInProfile> = {}): OAuth2Provider<LinkedInProfile> {
  return {
    id: "linkedin",
    name: "LinkedIn",
    type: "oauth",
    // LinkedIn's ID tokens contain no nonce, so they prove little; the profile is read from the userinfo endpoint.
    authorization: {
      url: "https://www.linkedin.com/oauth/v2/authorization",
      params: { scope: "openid profile email" },
    },
    token: { url: "https://www.linkedin.com/oauth/v2/accessToken" },
    userinfo: { url: "https://api.linkedin.com/v2/userinfo" },
    client: { token_endpoint_auth_method: "client_secret_post" },
    // LinkedIn supports PKCE only for native clients, which must be registered with it.
    checks: ["state"],
    style: { bg: "#0a66c2", text: "#ffffff" },
    options,
  };
}

export default LinkedIn;
