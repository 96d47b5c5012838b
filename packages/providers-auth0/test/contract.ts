import type { ProviderExpectations } from "@cardea/testing";
import { Auth0 } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Auth0,
  id: "auth0",
  name: "Auth0",
  options: { issuer: "https://tenant.eu.auth0.com/" },
  authorizationUrl: "https://tenant.eu.auth0.com/authorize?scope=openid profile email",
  endpoints: {
    authorize: "https://tenant.eu.auth0.com/authorize",
    token: "https://tenant.eu.auth0.com/oauth/token",
    jwks: "https://tenant.eu.auth0.com/.well-known/jwks.json",
  },
  profile: {
    sub: "auth0|1815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://s.gravatar.com/avatar/1815",
  },
  user: {
    id: "auth0|1815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://s.gravatar.com/avatar/1815",
  },
  emailVerified: true,
};
