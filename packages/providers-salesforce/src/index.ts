import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";

/**
 * The claims of Salesforce's ID tokens
 * (https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_userinfo_endpoint.htm).
 */
export interface SalesforceProfile {
  /** The URL that identifies the user. */
  readonly sub: string;
  /** The full name, as it is displayed (OIDC Core §5.1). Absent without the scope `profile`. */
  readonly name?: string;
  /** The e-mail address; trust it only with `email_verified` (OIDC Core §5.1). Absent without the scope `email`. */
  readonly email?: string;
  /** Whether the provider verified that the user controls the address (OIDC Core §5.1). Absent: the provider does not report it. */
  readonly email_verified?: boolean;
  /** URL of the profile picture (OIDC Core §5.1). */
  readonly picture?: string;
  /** The user's id in Salesforce, as in its API. */
  readonly user_id?: string;
  /** Id of the organization that the user belongs to. */
  readonly organization_id?: string;
  /** The user name, which has the form of an e-mail address and need not be one. */
  readonly preferred_username?: string;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Salesforce. Client id and secret come from the options, or from `AUTH_SALESFORCE_ID` and
 * `AUTH_SALESFORCE_SECRET`. For your own domain, set the `issuer` option or `AUTH_SALESFORCE_ISSUER`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Salesforce(options: OIDCUserConfig<SalesforceProfile> = {}): OIDCProvider<SalesforceProfile> {
  return {
    id: "salesforce",
    name: "Salesforce",
    type: "oidc",
    issuer: "https://login.salesforce.com",
    // The ID token contains only the id.
    idToken: false,
    style: { bg: "#032d60", text: "#ffffff" },
    options: providerOptions("Salesforce", options),
  };
}

export default Salesforce;
