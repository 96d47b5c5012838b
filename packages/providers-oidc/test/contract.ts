import type { ProviderExpectations } from "@cardea/testing";
import { OIDC } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: OIDC,
  id: "oidc",
  name: "Single sign-on",
  options: { issuer: "https://id.example.com" },
  authorizationUrl: "https://id.example.com/authorize?scope=openid profile email",
  endpoints: { authorize: "https://id.example.com/authorize" },
  profile: {
    sub: "user-1815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://id.example.com/ada.png",
  },
  user: { id: "user-1815", name: "Ada Lovelace", email: "ada@example.com", image: "https://id.example.com/ada.png" },
  emailVerified: true,
};
