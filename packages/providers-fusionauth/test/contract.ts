import type { ProviderExpectations } from "@cardea/testing";
import { FusionAuth } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: FusionAuth,
  id: "fusionauth",
  name: "FusionAuth",
  options: { issuer: "https://id.example.com" },
  authorizationUrl: "https://id.example.com/oauth2/authorize?scope=openid profile email",
  endpoints: {
    authorize: "https://id.example.com/oauth2/authorize",
    token: "https://id.example.com/oauth2/token",
    userinfo: "https://id.example.com/oauth2/userinfo",
    jwks: "https://id.example.com/.well-known/jwks.json",
  },
  profile: {
    sub: "1815cccc-0000-4000-8000-000000001815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://id.example.com/ada.png",
  },
  user: {
    id: "1815cccc-0000-4000-8000-000000001815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://id.example.com/ada.png",
  },
  emailVerified: true,
  script: { token: { headers: { "www-authenticate": "Basic" } } },
};
