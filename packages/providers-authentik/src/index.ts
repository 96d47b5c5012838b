import type { OIDCProvider, OIDCUserConfig } from "@cardea/core/providers";

/** The claims of authentik's ID tokens (https://docs.goauthentik.io/add-secure-apps/providers/oauth2/). */
export interface AuthentikProfile {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly picture?: string;
  readonly preferred_username?: string;
  readonly given_name?: string;
  readonly nickname?: string;
  readonly groups?: readonly string[];
  readonly [member: string]: unknown;
}

/**
 * Sign-in with authentik. Client id and secret come from the options, or from `AUTH_AUTHENTIK_ID` and
 * `AUTH_AUTHENTIK_SECRET`. The issuer is the application's, including the trailing slash: the `issuer` option or
 * `AUTH_AUTHENTIK_ISSUER`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Authentik(options: OIDCUserConfig<AuthentikProfile> = {}): OIDCProvider<AuthentikProfile> {
  return {
    id: "authentik",
    name: "authentik",
    type: "oidc",
    style: { bg: "#fd4b2d", text: "#000000" },
    options,
  };
}

export default Authentik;
