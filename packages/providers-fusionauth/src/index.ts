import type { OIDCProvider, OIDCUserConfig } from "@cardea/core/providers";

/** The claims of FusionAuth's ID tokens (https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/tokens). */
export interface FusionAuthProfile {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly picture?: string;
  readonly preferred_username?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly applicationId?: string;
  readonly roles?: readonly string[];
  readonly [member: string]: unknown;
}

/**
 * Sign-in with FusionAuth. Client id and secret come from the options, or from `AUTH_FUSIONAUTH_ID` and
 * `AUTH_FUSIONAUTH_SECRET`. The issuer is the tenant's: the `issuer` option or `AUTH_FUSIONAUTH_ISSUER`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function FusionAuth(options: OIDCUserConfig<FusionAuthProfile> = {}): OIDCProvider<FusionAuthProfile> {
  return {
    id: "fusionauth",
    name: "FusionAuth",
    type: "oidc",
    // FusionAuth's ID tokens contain few claims; the userinfo response contains the rest.
    idToken: false,
    token: { conform: withoutChallenge },
    style: { bg: "#f58320", text: "#000000" },
    options,
  };
}

/**
 * FusionAuth may send a challenge along with tokens, which a client that implements RFC 9110 §11.6.1 reads as a rejection.
 */
async function withoutChallenge(response: Response): Promise<Response | undefined> {
  if (!response.ok) return undefined;
  const headers = new Headers(response.headers);
  headers.delete("www-authenticate");
  return new Response(response.body, { status: response.status, headers });
}

export default FusionAuth;
