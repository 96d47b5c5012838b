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
    userinfo: "https://id.example.com/application/o/userinfo/",
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
  responses: {
    // https://docs.goauthentik.io/add-secure-apps/providers/oauth2/: the scope mapping `email` says false unless it is changed
    "an address that is not verified": {
      script: {
        idToken: {
          claims: { set: { email_verified: false, preferred_username: "ada", nickname: "ada", groups: ["admins"] } },
        },
      },
      tokens: { token_type: "Bearer", expires_in: 300, scope: "openid profile email" },
      emailVerified: false,
    },
    // https://docs.goauthentik.io/add-secure-apps/providers/oauth2/: "Include claims in ID token" is off
    "an ID token without claims of the user": {
      script: { idToken: { claims: { remove: ["name", "picture", "email", "email_verified"] } } },
    },
    "an error of the token endpoint": {
      script: {
        token: {
          status: 400,
          body: {
            error: "invalid_grant",
            error_description: "The provided authorization grant or refresh token is invalid",
          },
        },
      },
      logged: ["invalid_grant", "The provided authorization grant or refresh token is invalid"],
    },
  },
};
