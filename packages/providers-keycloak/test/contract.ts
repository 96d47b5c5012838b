import type { ProviderExpectations } from "@cardea/testing";
import { Keycloak } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Keycloak,
  id: "keycloak",
  name: "Keycloak",
  options: { issuer: "https://id.example.com/realms/cardea" },
  authorizationUrl: "https://id.example.com/realms/cardea/protocol/openid-connect/auth?scope=openid profile email",
  endpoints: {
    authorize: "https://id.example.com/realms/cardea/protocol/openid-connect/auth",
    token: "https://id.example.com/realms/cardea/protocol/openid-connect/token",
    jwks: "https://id.example.com/realms/cardea/protocol/openid-connect/certs",
    userinfo: "https://id.example.com/realms/cardea/protocol/openid-connect/userinfo",
  },
  profile: {
    sub: "f3b1815a-0000-4000-8000-000000001815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://id.example.com/ada.png",
  },
  user: {
    id: "f3b1815a-0000-4000-8000-000000001815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://id.example.com/ada.png",
  },
  emailVerified: true,
  responses: {
    // https://www.keycloak.org/docs/latest/server_admin/#_oidc_token
    "claims and members of its own": {
      tokens: {
        "not-before-policy": 0,
        refresh_expires_in: 1800,
        session_state: "1815-f3b1",
        refresh_token: "eyJhbGciOiJIUzUxMiJ9",
        scope: "openid profile email",
      },
      script: {
        idToken: {
          claims: {
            set: {
              typ: "ID",
              azp: "client-id",
              sid: "1815-f3b1",
              acr: "1",
              preferred_username: "ada",
              email_verified: false,
            },
          },
        },
        authorize: { params: { add: { session_state: "1815-f3b1", iss: "https://id.example.com/realms/cardea" } } },
      },
      emailVerified: false,
    },
    // https://www.keycloak.org/docs/latest/server_admin/#_audience_hardcoded
    "a further audience": {
      script: { idToken: { claims: { set: { aud: ["client-id", "account"], azp: "client-id" } } } },
    },
    // https://www.keycloak.org/docs/latest/server_admin/#_using_lightweight_access_token: mappers add no claims to the ID token
    "an ID token without claims of the user": {
      script: { idToken: { claims: { remove: ["name", "picture", "email", "email_verified"] } } },
    },
    "an error of the token endpoint": {
      script: {
        token: {
          status: 401,
          body: { error: "unauthorized_client", error_description: "Invalid client or Invalid client credentials" },
        },
      },
      logged: ["unauthorized_client", "Invalid client or Invalid client credentials"],
    },
    // Not documented; sent when the sign-in at the server took too long
    "an expired sign-in": {
      script: {
        authorize: { error: { error: "temporarily_unavailable", error_description: "authentication_expired" } },
      },
      logged: ["temporarily_unavailable", "authentication_expired"],
    },
  },
};
