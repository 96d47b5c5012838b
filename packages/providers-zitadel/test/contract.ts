import type { ProviderExpectations } from "@cardea/testing";
import { ZITADEL } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: ZITADEL,
  id: "zitadel",
  name: "ZITADEL",
  options: { issuer: "https://cardea.zitadel.cloud" },
  authorizationUrl: "https://cardea.zitadel.cloud/oauth/v2/authorize?scope=openid profile email",
  endpoints: {
    authorize: "https://cardea.zitadel.cloud/oauth/v2/authorize",
    token: "https://cardea.zitadel.cloud/oauth/v2/token",
    userinfo: "https://cardea.zitadel.cloud/oidc/v1/userinfo",
    jwks: "https://cardea.zitadel.cloud/oauth/v2/keys",
  },
  profile: {
    sub: "181512101852",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://cdn.example.com/ada.png",
  },
  user: {
    id: "181512101852",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://cdn.example.com/ada.png",
  },
  emailVerified: true,
  responses: {
    // https://zitadel.com/docs/apis/openidoauth/claims#standard-claims: aud has the client, the project and its other applications
    "an ID token for the client, its project and others": {
      script: {
        idToken: {
          claims: {
            set: {
              aud: ["client-id", "181512101850", "181512101851"],
              azp: "client-id",
              client_id: "client-id",
              amr: ["pwd"],
              sid: "V1_1815",
            },
          },
        },
      },
      tokens: { token_type: "Bearer", expires_in: 43_199 },
    },
    // https://zitadel.com/docs/apis/openidoauth/endpoints#userinfo-endpoint
    "an address that is not verified": {
      profile: {
        sub: "181512101852",
        name: "Ada Lovelace",
        preferred_username: "ada@cardea.zitadel.cloud",
        email: "ada@example.com",
        locale: "en",
        updated_at: 1_700_000_000,
        "urn:zitadel:iam:org:project:roles": { admin: { "1815": "cardea.zitadel.cloud" } },
      },
      user: { image: null },
      emailVerified: undefined,
    },
    // https://zitadel.com/docs/apis/openidoauth/endpoints#token-endpoint
    "an error of the token endpoint": {
      script: { token: { status: 400, body: { error: "invalid_grant", error_description: "invalid code" } } },
      logged: ["invalid_grant", "invalid code"],
    },
  },
};
