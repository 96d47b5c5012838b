import { providerContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { Okta } from "./index.ts";

providerContract(
  { describe, it, expect },
  {
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
  },
);
