import type { ProviderExpectations } from "@cardea/testing";
import { Salesforce } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Salesforce,
  id: "salesforce",
  name: "Salesforce",
  authorizationUrl: "https://login.salesforce.com/services/oauth2/authorize?scope=openid profile email",
  endpoints: {
    authorize: "https://login.salesforce.com/services/oauth2/authorize",
    token: "https://login.salesforce.com/services/oauth2/token",
    userinfo: "https://login.salesforce.com/services/oauth2/userinfo",
    jwks: "https://login.salesforce.com/id/keys",
  },
  profile: {
    sub: "https://login.salesforce.com/id/00Dx0/005x0",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://c.eu0.content.force.com/profilephoto/005/F",
    user_id: "005x0",
    organization_id: "00Dx0",
  },
  user: {
    id: "https://login.salesforce.com/id/00Dx0/005x0",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://c.eu0.content.force.com/profilephoto/005/F",
  },
  emailVerified: true,
  responses: {
    // https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_web_server_flow.htm
    "tokens without a lifetime, and members of its own": {
      script: {
        token: {
          patch: {
            set: {
              token_type: "Bearer",
              instance_url: "https://example.my.salesforce.com",
              id: "https://login.salesforce.com/id/00Dx0/005x0",
              issued_at: "1558553873237",
              signature: "nMXgvUzJmU1ZsU2YVbmx5WpZ",
              scope: "openid profile email",
            },
            remove: ["expires_in"],
          },
        },
      },
    },
    // https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_using_userinfo_endpoint.htm
    "an address that is not verified, and members of its own": {
      profile: {
        sub: "https://login.salesforce.com/id/00Dx0/005x0",
        user_id: "005x0",
        organization_id: "00Dx0",
        preferred_username: "ada@example.com.dev",
        nickname: "ada",
        name: "Ada Lovelace",
        email: "ada@example.com",
        email_verified: false,
        given_name: "Ada",
        family_name: "Lovelace",
        zoneinfo: "Europe/London",
        photos: {
          picture: "https://c.eu0.content.force.com/profilephoto/005/F",
          thumbnail: "https://c.eu0.content.force.com/profilephoto/005/T",
        },
        picture: "https://c.eu0.content.force.com/profilephoto/005/F",
        address: {},
        is_app_installed: true,
        active: true,
        user_type: "STANDARD",
      },
      emailVerified: false,
    },
    "an error of the token endpoint": {
      script: {
        token: { status: 400, body: { error: "invalid_grant", error_description: "expired authorization code" } },
      },
      logged: ["invalid_grant", "expired authorization code"],
    },
    // https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_flow_errors.htm
    "an application that an administrator has not approved": {
      script: {
        authorize: { error: { error: "OAUTH_APP_BLOCKED", error_description: "this app is blocked by admin" } },
      },
      logged: ["OAUTH_APP_BLOCKED"],
    },
  },
};
