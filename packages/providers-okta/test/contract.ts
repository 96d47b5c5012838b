import type { ProviderExpectations } from "@cardea/testing";
import { Okta } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Okta,
  id: "okta",
  name: "Okta",
  options: { issuer: "https://dev-1815.okta.com/oauth2/default" },
  authorizationUrl: "https://dev-1815.okta.com/oauth2/default/v1/authorize?scope=openid profile email",
  endpoints: {
    authorize: "https://dev-1815.okta.com/oauth2/default/v1/authorize",
    token: "https://dev-1815.okta.com/oauth2/default/v1/token",
    jwks: "https://dev-1815.okta.com/oauth2/default/v1/keys",
    userinfo: "https://dev-1815.okta.com/oauth2/default/v1/userinfo",
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
  responses: {
    // https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/#scope-dependent-claims-not-always-returned
    // The org authorization server: https://github.com/UsefulSoftwareCo/executor/issues/1972
    "a thin ID token of the org authorization server": {
      script: {
        metadata: { set: { claims_supported: ["iss", "sub", "aud", "email", "email_verified", "name"] } },
        idToken: { claims: { set: { ver: 1, amr: ["pwd"], idp: "00o1815" }, remove: ["email_verified", "picture"] } },
      },
    },
    "an ID token without claims of the profile": {
      script: { idToken: { claims: { remove: ["name", "picture", "email", "email_verified"] } } },
    },
    // https://developer.okta.com/docs/reference/error-codes/
    "an error of the token endpoint": {
      script: {
        token: {
          status: 401,
          body: {
            error: "invalid_client",
            error_description: "The client secret supplied for a confidential client is invalid.",
          },
        },
      },
      logged: ["invalid_client", "The client secret supplied for a confidential client is invalid."],
    },
  },
};
