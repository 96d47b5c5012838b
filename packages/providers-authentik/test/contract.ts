import type { ProviderExpectations } from "@cardea/testing";
import { Authentik } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Authentik,
  id: "authentik",
  name: "authentik",
  options: { issuer: "https://id.example.com/application/o/cardea/" },
  authorizationUrl: "https://id.example.com/application/o/authorize/?scope=openid profile email",
  endpoints: {
    authorize: "https://id.example.com/application/o/authorize/",
    token: "https://id.example.com/application/o/token/",
    jwks: "https://id.example.com/application/o/cardea/jwks/",
  },
  profile: {
    sub: "1815f0f0",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://id.example.com/ada.png",
  },
  user: { id: "1815f0f0", name: "Ada Lovelace", email: "ada@example.com", image: "https://id.example.com/ada.png" },
  emailVerified: true,
};
