import type { ProviderExpectations } from "@cardea/testing";
import { LinkedIn } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: LinkedIn,
  id: "linkedin",
  name: "LinkedIn",
  authorizationUrl: "https://www.linkedin.com/oauth/v2/authorization?scope=openid profile email",
  checks: ["state"],
  profile: {
    sub: "782bbtaQ",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://media.licdn-ei.com/dms/image/ada",
  },
  user: {
    id: "782bbtaQ",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://media.licdn-ei.com/dms/image/ada",
  },
  emailVerified: true,
  // https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow#your-application-is-rejected
  cancelled: ["user_cancelled_login", "user_cancelled_authorize"],
  responses: {
    // https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2#response-body-schema
    "tokens with an ID token, and a locale that is an object": {
      tokens: {
        expires_in: 5_184_000,
        scope: "email,openid,profile",
        token_type: "Bearer",
        id_token: "eyJ6aXAiOi.eyJpc3Mi.c2ln",
      },
      profile: {
        sub: "782bbtaQ",
        name: "Ada Lovelace",
        given_name: "Ada",
        family_name: "Lovelace",
        picture: "https://media.licdn-ei.com/dms/image/ada",
        locale: { country: "US", language: "en" },
        email: "ada@example.com",
        email_verified: true,
      },
    },
    // "email: may not be present", "picture: optional"
    "a member without an address and a picture": {
      profile: { sub: "782bbtaQ", name: "Ada Lovelace", locale: "en-US" },
      user: { email: null, image: null },
      emailVerified: undefined,
    },
    // https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow#access-token-response
    "an error of the token endpoint": {
      script: {
        token: { status: 401, body: { error: "invalid_client", error_description: "Client authentication failed" } },
      },
      logged: ["invalid_client", "Client authentication failed"],
    },
    // https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/error-handling
    "an error of the API": {
      script: {
        userinfo: {
          status: 403,
          body: {
            status: 403,
            serviceErrorCode: 100,
            code: "ACCESS_DENIED",
            message: "Not enough permissions to access: userinfo.GET.NO_VERSION",
          },
        },
      },
      logged: ["403", "Not enough permissions"],
    },
  },
};
