import type { ProviderExpectations } from "@cardea/testing";
import { Cognito } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Cognito,
  id: "cognito",
  name: "Cognito",
  options: { issuer: "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ada1815" },
  authorizationUrl: "https://cardea.auth.eu-central-1.amazoncognito.com/oauth2/authorize?scope=openid profile email",
  endpoints: {
    authorize: "https://cardea.auth.eu-central-1.amazoncognito.com/oauth2/authorize",
    token: "https://cardea.auth.eu-central-1.amazoncognito.com/oauth2/token",
    jwks: "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ada1815/.well-known/jwks.json",
    userinfo: "https://cardea.auth.eu-central-1.amazoncognito.com/oauth2/userInfo",
  },
  profile: {
    sub: "1815aaaa-0000-4000-8000-000000001815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://cdn.example.com/ada.png",
  },
  user: {
    id: "1815aaaa-0000-4000-8000-000000001815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://cdn.example.com/ada.png",
  },
  emailVerified: true,
  responses: {
    // https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html
    "claims of its own": {
      tokens: { token_type: "Bearer", expires_in: 3600, refresh_token: "eyJj3example" },
      script: {
        idToken: {
          claims: {
            set: {
              token_use: "id",
              event_id: "64f513be-32db-42b0-b78e-b02127b4f463",
              origin_jti: "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
              "cognito:username": "ada",
              "cognito:groups": ["admins"],
              identities: [{ userId: "1815", providerName: "SAML", providerType: "SAML", primary: "true" }],
            },
          },
        },
      },
    },
    // https://docs.aws.amazon.com/cognito/latest/developerguide/userinfo-endpoint.html: `email_verified` is text there
    "an ID token without the address, and `email_verified` as text": {
      script: {
        idToken: { claims: { remove: ["name", "picture", "email", "email_verified"] } },
        userinfo: {
          body: {
            sub: "1815aaaa-0000-4000-8000-000000001815",
            email_verified: "true",
            name: "Ada Lovelace",
            email: "ada@example.com",
            picture: "https://cdn.example.com/ada.png",
            username: "ada",
          },
        },
      },
    },
    // https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoint-idp-responses.html
    "an error of an identity provider behind it": {
      script: {
        authorize: {
          error: {
            error: "invalid_request",
            error_description: "Error in SAML response processing: Invalid user attributes",
          },
        },
      },
      logged: ["invalid_request", "Error in SAML response processing"],
    },
    // https://docs.aws.amazon.com/cognito/latest/developerguide/token-endpoint.html
    "an error of the token endpoint without a description": {
      script: { token: { status: 400, body: { error: "invalid_grant" } } },
      logged: ["invalid_grant"],
    },
  },
};
