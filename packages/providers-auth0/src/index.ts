import type { OIDCProvider, OIDCUserConfig } from "@cardea/core/providers";

/** The claims of Auth0's ID tokens (https://auth0.com/docs/secure/tokens/id-tokens/id-token-structure). */
export interface Auth0Profile {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly picture?: string;
  readonly nickname?: string;
  readonly updated_at?: string;
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
    options,
  };
}

export default Auth0;
