import type { ProviderExpectations } from "@cardea/testing";
import { Okta } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Okta,
  id: "okta",
  name: "Okta",
  options: { issuer: "https://dev-1815.okta.com/oauth2/default" },
  authorizationUrl: "https://dev-1815.okta.com/oauth2/default/v1/authorize?scope=openid profile email",
  endpoints: {
    authorize: "https://dev-1815.okta.com/oauth2/default/v1/authorize",
    token: "https://dev-1815.okta.com/oauth2/default/v1/token",
    jwks: "https://dev-1815.okta.com/oauth2/default/v1/keys",
  },
  profile: {
    sub: "00u1815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://cdn.example.com/ada.png",
  },
  user: { id: "00u1815", name: "Ada Lovelace", email: "ada@example.com", image: "https://cdn.example.com/ada.png" },
  emailVerified: true,
};
