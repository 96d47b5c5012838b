import type { OIDCProvider, OIDCUserConfig } from "@cardea/core/providers";

/** What a provider says of a person in an ID token (https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims). */
export interface OIDCProfile {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly picture?: string;
  readonly preferred_username?: string;
  readonly nickname?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly [member: string]: unknown;
}

/**
 * Sign-in with any OpenID Connect provider. Client id and secret come from the options, or from `AUTH_OIDC_ID` and `AUTH_OIDC_SECRET`.
 * For any provider with a discovery document: the `issuer` option or `AUTH_OIDC_ISSUER` names it; `id` and `name` make room for
 * several, and `id` is part of the callback URL and the environment variables.
 *
 * @param options laid over the defaults: plain objects deeply, everything else replaced.
 */
export function OIDC(options: OIDCUserConfig<OIDCProfile> = {}): OIDCProvider<OIDCProfile> {
  return {
    id: "oidc",
    name: "Single sign-on",
    type: "oidc",
    style: { bg: "#1f2937", text: "#ffffff" },
    options,
  };
}

export default OIDC;
