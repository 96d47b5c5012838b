import type { ProviderExpectations } from "@cardea/testing";
import { Twitch } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Twitch,
  id: "twitch",
  name: "Twitch",
  authorizationUrl:
    'https://id.twitch.tv/oauth2/authorize?scope=openid user:read:email&claims={"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}',
  tokens: { scope: ["openid", "user:read:email"] },
  // Twitch goes by `claims`, the stand-in by scopes.
  script: {
    token: { patch: { set: { scope: ["openid", "user:read:email"] } } },
    idToken: { claims: { set: { email: "ada@example.com", email_verified: true } } },
  },
  profile: {
    sub: "713936733",
    preferred_username: "ada",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://static-cdn.jtvnw.net/ada.png",
  },
  user: {
    id: "713936733",
    name: "ada",
    email: "ada@example.com",
    image: "https://static-cdn.jtvnw.net/ada.png",
  },
  emailVerified: true,
  responses: {
    // https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/#oidc-authorization-code-grant-flow
    "members of its own": {
      tokens: {
        token_type: "bearer",
        expires_in: 14_124,
        scope: ["openid", "user:read:email"],
        refresh_token: "s76s7g9s8d7gd7fg78fd6gd5g6",
      },
      script: {
        authorize: { params: { add: { scope: "openid user:read:email" } } },
        idToken: {
          claims: {
            set: {
              email: "ada@example.com",
              email_verified: true,
              azp: "client-id",
              updated_at: "2026-01-04T00:00:00Z",
            },
          },
        },
      },
    },
    "an account without an address": {
      profile: { sub: "713936733", preferred_username: "ada", picture: "https://static-cdn.jtvnw.net/ada.png" },
      script: { idToken: { claims: {} } },
      user: { email: null },
      emailVerified: undefined,
    },
    // https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/
    "an error of the token endpoint, which has no `error`": {
      script: { token: { status: 400, body: { status: 400, message: "Invalid authorization code" } } },
      logged: ["invalid_grant", "Invalid authorization code", "https://id.twitch.tv/oauth2/token"],
    },
  },
};
