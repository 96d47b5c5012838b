import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";

/** The claims of FusionAuth's ID tokens (https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/tokens). */
export interface FusionAuthProfile {
  /** The user's id: a UUID. */
  readonly sub: string;
  /** The full name, as it is displayed (OIDC Core §5.1). Absent without the scope `profile`. */
  readonly name?: string;
  /** The e-mail address; trust it only with `email_verified` (OIDC Core §5.1). Absent without the scope `email`. */
  readonly email?: string;
  /** Whether the provider verified that the user controls the address (OIDC Core §5.1). Absent: the provider does not report it. */
  readonly email_verified?: boolean;
  /** URL of the profile picture (OIDC Core §5.1). */
  readonly picture?: string;
  /** The name that the user signs in with or wants to be called; neither unique nor stable (OIDC Core §5.1). */
  readonly preferred_username?: string;
  /** First name (OIDC Core §5.1). */
  readonly given_name?: string;
  /** Last name (OIDC Core §5.1). */
  readonly family_name?: string;
  /** Id of the application in FusionAuth: a UUID. */
  readonly applicationId?: string;
  /** Roles of the user in that application. */
  readonly roles?: readonly string[];
  /** Any other member that the provider sends. */
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
    options: providerOptions("FusionAuth", options),
  };
}

/**
 * FusionAuth may send a challenge along with tokens, which a client that implements RFC 9110 §11.6.1 reads as a rejection, and
 * along with errors, whose text says more.
 */
async function withoutChallenge(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.delete("www-authenticate");
  return new Response(response.body, { status: response.status, headers });
}

export default FusionAuth;
