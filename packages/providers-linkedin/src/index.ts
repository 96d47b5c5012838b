import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";
import { LOGO } from "./logo.ts";

/**
 * The members of LinkedIn's user response that are used here
 * (https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2).
 */
export interface LinkedInProfile {
  /** The member's id for this application. */
  readonly sub: string;
  /** The full name. */
  readonly name?: string;
  /** The primary e-mail address; absent without the scope `email`. */
  readonly email?: string;
  /** Whether the provider verified that the user controls the address (OIDC Core §5.1). Absent: the provider does not report it. */
  readonly email_verified?: boolean;
  /** URL of the profile picture (OIDC Core §5.1). */
  readonly picture?: string;
  /** First name (OIDC Core §5.1). */
  readonly given_name?: string;
  /** Last name (OIDC Core §5.1). */
  readonly family_name?: string;
  /** Any other member that the provider sends. */
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
    // https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow
    cancelled: ["user_cancelled_login", "user_cancelled_authorize"],
    // LinkedIn supports PKCE only for native clients, which must be registered with it.
    checks: ["state"],
    style: { logo: LOGO, bg: "#0a66c2", text: "#ffffff" },
    options: providerOptions("LinkedIn", options),
  };
}

export default LinkedIn;
