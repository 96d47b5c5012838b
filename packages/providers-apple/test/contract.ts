import type { ProviderExpectations } from "@cardea/testing";
import { Apple } from "../src/index.ts";

export const ISSUER = "https://appleid.apple.com";
export const ENDPOINTS = {
  authorize: `${ISSUER}/auth/authorize`,
  token: `${ISSUER}/auth/token`,
  jwks: `${ISSUER}/auth/keys`,
};

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Apple,
  id: "apple",
  name: "Apple",
  authorizationUrl: `${ENDPOINTS.authorize}?scope=name email&response_mode=form_post`,
  checks: ["state", "nonce"],
  endpoints: ENDPOINTS,
  profile: { sub: "001815.aaaa.1815", email: "ada@privaterelay.appleid.com", email_verified: true },
  user: { id: "001815.aaaa.1815", name: null, email: "ada@privaterelay.appleid.com", image: null },
  emailVerified: true,
  // https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server
  cancelled: ["user_cancelled_authorize"],
  responses: {
    // https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple
    "claims as text": {
      profile: {
        sub: "001815.aaaa.1815",
        email: "ada@privaterelay.appleid.com",
        email_verified: "true",
        is_private_email: "true",
        nonce_supported: true,
        real_user_status: 2,
      },
      // https://developer.apple.com/documentation/signinwithapplerestapi/tokenresponse
      tokens: { token_type: "bearer", expires_in: 3600, refresh_token: "r1815.0.mrwxr.aaaa" },
    },
    "an address that is not verified": {
      profile: { sub: "001815.aaaa.1815", email: "ada@privaterelay.appleid.com", email_verified: "false" },
      emailVerified: false,
    },
    // "The value may be empty for Sign in with Apple at Work & School users."
    "a user of Work & School without an address": {
      profile: { sub: "001815.aaaa.1815" },
      script: { metadata: { remove: ["userinfo_endpoint"] } },
      user: { email: null },
      emailVerified: undefined,
    },
    // https://developer.apple.com/documentation/signinwithapplerestapi/errorresponse
    "an error of the token endpoint": {
      script: { token: { status: 400, body: { error: "invalid_client" } } },
      logged: ["invalid_client"],
    },
  },
};
