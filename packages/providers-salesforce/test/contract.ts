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
};
