import type { OIDCProvider, OIDCUserConfig } from "@cardea/core/providers";

/** What Salesforce says of a person in an ID token (https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_userinfo_endpoint.htm). */
export interface SalesforceProfile {
  /** The URL that identifies the person. */
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
 * Sign-in with Salesforce. Client id and secret come from the options, or from `AUTH_SALESFORCE_ID` and `AUTH_SALESFORCE_SECRET`.
 * With a domain of your own set the `issuer` option or `AUTH_SALESFORCE_ISSUER`.
 *
 * @param options laid over the defaults: plain objects deeply, everything else replaced.
 */
export function Salesforce(options: OIDCUserConfig<SalesforceProfile> = {}): OIDCProvider<SalesforceProfile> {
  return {
    id: "salesforce",
    name: "Salesforce",
    type: "oidc",
    issuer: "https://login.salesforce.com",
    // The ID token holds the id alone.
    idToken: false,
    style: { bg: "#032d60", text: "#ffffff" },
    options,
  };
}

export default Salesforce;
