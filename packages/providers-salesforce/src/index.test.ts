import { providerContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { Salesforce } from "./index.ts";

providerContract(
  { describe, it, expect },
  {
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
  },
);
