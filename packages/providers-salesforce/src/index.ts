import type { OIDCProvider, OIDCUserConfig } from "@cardea/core/providers";

/**
 * The claims of Salesforce's ID tokens
 * (https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_userinfo_endpoint.htm).
 */
export interface SalesforceProfile {
  /** The URL that identifies the user. */
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly picture?: string;
  readonly user_id?: string;
  readonly organization_id?: string;
  readonly preferred_username?: string;
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
    options,
  };
}

export default Salesforce;
