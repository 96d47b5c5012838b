import type { OIDCProvider, OIDCUserConfig } from "@cardea/core/providers";

/** The claims of Okta's ID tokens (https://developer.okta.com/docs/reference/api/oidc/#id-token). */
export interface OktaProfile {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly picture?: string;
  readonly preferred_username?: string;
  readonly locale?: string;
  readonly zoneinfo?: string;
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Okta. Client id and secret come from the options, or from `AUTH_OKTA_ID` and `AUTH_OKTA_SECRET`. The issuer
 * is your organisation's or an authorization server's: the `issuer` option or `AUTH_OKTA_ISSUER`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Okta(options: OIDCUserConfig<OktaProfile> = {}): OIDCProvider<OktaProfile> {
  return {
    id: "okta",
    name: "Okta",
    type: "oidc",
    style: { bg: "#000000", text: "#ffffff" },
    options,
  };
}

export default Okta;
