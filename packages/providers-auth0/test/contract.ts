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
  responses: {
    // https://auth0.com/docs/get-started/authentication-and-authorization-flow/authorization-code-flow/call-your-api-using-the-authorization-code-flow
    "tokens for an API, with a longer lifetime": {
      tokens: {
        token_type: "Bearer",
        expires_in: 86_400,
        scope: "openid profile email offline_access",
        refresh_token: "GEbRxBN",
      },
      script: {
        idToken: { claims: { set: { sid: "nlGZ1815", nickname: "ada", updated_at: "2026-02-01T00:00:00.000Z" } } },
      },
    },
    // https://auth0.com/docs/authenticate/passwordless/authentication-methods/sms-otp
    "a user with a phone number only": {
      profile: { sub: "sms|1815", name: "+15551815", nickname: "", picture: "https://s.gravatar.com/avatar/1815" },
      user: { id: "sms|1815", name: "+15551815", email: null },
      emailVerified: undefined,
    },
    // https://auth0.com/docs/libraries/common-auth0-library-authentication-errors
    "a user who is blocked": {
      script: { authorize: { error: { error: "unauthorized", error_description: "user is blocked" } } },
      logged: ["unauthorized", "user is blocked"],
    },
    "an error of the token endpoint": {
      script: {
        token: { status: 403, body: { error: "invalid_grant", error_description: "Invalid authorization code" } },
      },
      logged: ["invalid_grant", "Invalid authorization code"],
    },
  },
};
