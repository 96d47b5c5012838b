import type { OIDCProvider, OIDCUserConfig } from "@cardea/core/providers";

/** The claims of ZITADEL's ID tokens (https://zitadel.com/docs/apis/openidoauth/claims). */
export interface ZITADELProfile {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly picture?: string;
  readonly preferred_username?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly locale?: string;
  readonly [member: string]: unknown;
}

/**
 * Sign-in with ZITADEL. Client id and secret come from the options, or from `AUTH_ZITADEL_ID` and `AUTH_ZITADEL_SECRET`.
 * The issuer is your instance's: the `issuer` option or `AUTH_ZITADEL_ISSUER`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function ZITADEL(options: OIDCUserConfig<ZITADELProfile> = {}): OIDCProvider<ZITADELProfile> {
  return {
    id: "zitadel",
    name: "ZITADEL",
    type: "oidc",
    // Unless the project is configured otherwise, the ID token contains only the id.
    idToken: false,
    style: { bg: "#0e1931", text: "#ffffff" },
    options,
  };
}

export default ZITADEL;
