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
};
