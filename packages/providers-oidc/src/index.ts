import type { OIDCProvider, OIDCUserConfig } from "@cardea/core/providers";

/** The claims of a provider's ID tokens (https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims). */
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
 * Sign-in with any OpenID Connect provider that has a discovery document. Client id and secret come from the options, or
 * from `AUTH_OIDC_ID` and `AUTH_OIDC_SECRET`; the issuer from the `issuer` option or `AUTH_OIDC_ISSUER`. Set `id` and
 * `name` to configure several providers; `id` is part of the callback URL and of the environment variables.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
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
