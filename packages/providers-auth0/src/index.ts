import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";

/** The claims of Auth0's ID tokens (https://auth0.com/docs/secure/tokens/id-tokens/id-token-structure). */
export interface Auth0Profile {
  /** The user's id: the connection and an id, such as `auth0|…`. */
  readonly sub: string;
  /** The full name, as it is displayed (OIDC Core §5.1). Absent without the scope `profile`. */
  readonly name?: string;
  /** The e-mail address; trust it only with `email_verified` (OIDC Core §5.1). Absent without the scope `email`. */
  readonly email?: string;
  /** Whether the provider verified that the user controls the address (OIDC Core §5.1). Absent: the provider does not report it. */
  readonly email_verified?: boolean;
  /** URL of the profile picture (OIDC Core §5.1). */
  readonly picture?: string;
  /** Casual name, which may differ from the first name (OIDC Core §5.1). */
  readonly nickname?: string;
  /** When the profile last changed, as ISO 8601 text; OIDC Core §5.1 has a number here. */
  readonly updated_at?: string;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Auth0. Client id and secret come from the options, or from `AUTH_AUTH0_ID` and `AUTH_AUTH0_SECRET`. The
 * issuer is your tenant's, including the trailing slash: the `issuer` option or `AUTH_AUTH0_ISSUER`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Auth0(options: OIDCUserConfig<Auth0Profile> = {}): OIDCProvider<Auth0Profile> {
  return {
    id: "auth0",
    name: "Auth0",
    type: "oidc",
    style: { bg: "#191919", text: "#ffffff" },
    options: providerOptions("Auth0", options),
  };
}

export default Auth0;
