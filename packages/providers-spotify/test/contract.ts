import type { ProviderExpectations } from "@cardea/testing";
import { Spotify } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Spotify,
  id: "spotify",
  name: "Spotify",
  authorizationUrl: "https://accounts.spotify.com/authorize?scope=user-read-email",
  profile: {
    id: "ada1815",
    display_name: "Ada Lovelace",
    email: "ada@example.com",
    images: [{ url: "https://i.scdn.co/image/ada", height: 300, width: 300 }],
  },
  user: { id: "ada1815", name: "Ada Lovelace", email: "ada@example.com", image: "https://i.scdn.co/image/ada" },
  emailVerified: false,
  responses: {
    // https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile
    "a user without a display name and images": {
      profile: {
        country: "GB",
        display_name: null,
        email: "ada@example.com",
        explicit_content: { filter_enabled: false, filter_locked: false },
        followers: { href: null, total: 0 },
        id: "ada1815",
        images: [],
        product: "premium",
        type: "user",
      },
      // https://developer.spotify.com/documentation/web-api/tutorials/code-flow
      tokens: { token_type: "Bearer", scope: "user-read-email", expires_in: 3600, refresh_token: "AQD1815" },
      user: { name: null, image: null },
    },
    "a user who did not share the address": {
      profile: { id: "ada1815", display_name: "Ada Lovelace" },
      user: { email: null, image: null },
    },
    // https://developer.spotify.com/documentation/web-api/concepts/api-calls#authentication-error-object
    "an error of the token endpoint": {
      script: {
        token: { status: 400, body: { error: "invalid_grant", error_description: "Invalid authorization code" } },
      },
      logged: ["invalid_grant", "Invalid authorization code"],
    },
    // https://developer.spotify.com/documentation/web-api/concepts/quota-modes: users who are not on the list of a development app
    "a user whom a development application does not list": {
      script: {
        userinfo: {
          status: 403,
          headers: { "content-type": "text/plain" },
          raw: "User not registered in the Developer Dashboard",
        },
      },
      logged: ["403", "Developer Dashboard"],
    },
  },
};
