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
  responses: {
    // https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/tokens#id-token-claims
    "claims and members of its own": {
      tokens: {
        token_type: "Bearer",
        expires_in: 3599,
        userId: "1815cccc-0000-4000-8000-000000001815",
        scope: "openid profile email",
      },
      script: {
        token: { headers: {} },
        idToken: {
          claims: {
            set: {
              applicationId: "1815dddd-0000-4000-8000-000000001815",
              authenticationType: "PASSWORD",
              email: "ada@example.com",
              email_verified: true,
              preferred_username: "ada",
              roles: ["admin"],
              tid: "1815eeee-0000-4000-8000-000000001815",
              scope: "openid profile email",
            },
          },
        },
      },
    },
    // https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/endpoints#userinfo
    "a user without an address": {
      profile: {
        sub: "1815cccc-0000-4000-8000-000000001815",
        given_name: "Ada",
        phone_number: "+15551815",
        preferred_username: "ada",
      },
      user: { name: "ada", email: null, image: null },
      emailVerified: undefined,
    },
    // https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/endpoints#oauth-error-reasons
    "an error of the token endpoint": {
      script: {
        token: {
          status: 400,
          body: {
            error: "invalid_grant",
            error_reason: "auth_code_not_found",
            error_description: "The OAuth code was not found.",
          },
        },
      },
      logged: ["invalid_grant", "The OAuth code was not found."],
    },
    // https://fusionauth.io/docs/get-started/core-concepts/applications#jwt: the default key is symmetric and not published
    "an ID token signed with the default key": {
      script: { idToken: { sign: "hmac-with-secret" } },
      logged: ["alg"],
    },
  },
};
