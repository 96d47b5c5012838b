import type { ProviderExpectations } from "@cardea/testing";
import { Google } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Google,
  id: "google",
  name: "Google",
  authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth?scope=openid profile email",
  endpoints: {
    authorize: "https://accounts.google.com/o/oauth2/v2/auth",
    token: "https://oauth2.googleapis.com/token",
    jwks: "https://www.googleapis.com/oauth2/v3/certs",
  },
  profile: {
    sub: "110169484474386276334",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://lh3.googleusercontent.com/a/ada",
  },
  user: {
    id: "110169484474386276334",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://lh3.googleusercontent.com/a/ada",
  },
  emailVerified: true,
  responses: {
    // https://developers.google.com/identity/openid-connect/openid-connect#exchangecode
    "scopes as URLs, and parameters of its own at the callback": {
      tokens: {
        expires_in: 3920,
        scope: "openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile",
        refresh_token: "1//xEoDL4iW3cxlI7yDbSRFYNG01kVKM2C-259HOF2aQbI",
        refresh_token_expires_in: 604_799,
      },
      script: {
        authorize: {
          params: {
            add: { scope: "openid email profile", authuser: "0", prompt: "none", iss: "https://accounts.google.com" },
          },
        },
        idToken: { claims: { set: { azp: "client-id", hd: "example.com" } } },
      },
    },
    // https://developers.google.com/identity/openid-connect/openid-connect#validatinganidtoken
    "an issuer without a scheme": { script: { idToken: { claims: { set: { iss: "accounts.google.com" } } } } },
    // https://developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload
    "an account without name and picture": {
      profile: { sub: "110169484474386276334", email: "ada@example.com", email_verified: false },
      script: { userinfo: { body: { sub: "110169484474386276334", email: "ada@example.com", email_verified: false } } },
      user: { name: null, image: null },
      emailVerified: false,
    },
    "an ID token of another issuer": {
      script: { idToken: { claims: { set: { iss: "accounts.google.com.evil.example" } } } },
      logged: ["iss"],
    },
  },
};
