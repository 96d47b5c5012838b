import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";

/**
 * The claims of Cognito's ID tokens
 * (https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html).
 */
export interface CognitoProfile {
  /** The user's id in the user pool. */
  readonly sub: string;
  /** The full name, as it is displayed (OIDC Core §5.1). Absent without the scope `profile`. */
  readonly name?: string;
  /** The e-mail address; trust it only with `email_verified` (OIDC Core §5.1). Absent without the scope `email`. */
  readonly email?: string;
  /** Whether the provider verified that the user controls the address (OIDC Core §5.1). Absent: the provider does not report it. */
  readonly email_verified?: boolean;
  /** URL of the profile picture (OIDC Core §5.1). */
  readonly picture?: string;
  /** Unique in the user pool. */
  readonly "cognito:username"?: string;
  /** Groups of the user pool. */
  readonly "cognito:groups"?: readonly string[];
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Cognito. Client id and secret come from the options, or from `AUTH_COGNITO_ID` and `AUTH_COGNITO_SECRET`.
 * The issuer is the user pool's: the `issuer` option or `AUTH_COGNITO_ISSUER`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Cognito(options: OIDCUserConfig<CognitoProfile> = {}): OIDCProvider<CognitoProfile> {
  return {
    id: "cognito",
    name: "Cognito",
    type: "oidc",
    // https://docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html
    endSessionParams: ({ clientId, returnTo }) => ({ client_id: clientId, logout_uri: returnTo }),
    style: { bg: "#232f3e", text: "#ffffff" },
    options: providerOptions("Cognito", options),
  };
}

export default Cognito;
