import type { ProviderExpectations } from "@cardea/testing";
import { Discord } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Discord,
  id: "discord",
  name: "Discord",
  authorizationUrl: "https://discord.com/oauth2/authorize?scope=identify email",
  profile: {
    id: "80351110224678912",
    username: "ada",
    global_name: "Ada Lovelace",
    discriminator: "0",
    avatar: "8342729096ea3675442027381ff50dfe",
    email: "ada@example.com",
    verified: true,
  },
  user: {
    id: "80351110224678912",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png",
  },
  emailVerified: true,
  responses: {
    // https://discord.com/developers/docs/resources/user#user-object
    "an account without an address, a display name and an avatar": {
      profile: {
        id: "80351110224678912",
        username: "ada",
        global_name: null,
        discriminator: "1337",
        avatar: null,
        banner: null,
        email: null,
        verified: false,
      },
      // https://discord.com/developers/docs/topics/oauth2#authorization-code-grant
      tokens: {
        token_type: "Bearer",
        expires_in: 604_800,
        refresh_token: "D43f5y0ahjqew82jZ4NViEr2YafMKhue",
        scope: "identify",
      },
      user: { name: "ada", email: null, image: "https://cdn.discordapp.com/embed/avatars/2.png" },
      emailVerified: false,
    },
    // Not documented for OAuth; as in RFC 6749 §5.2
    "an error of the token endpoint": {
      script: {
        token: { status: 400, body: { error: "invalid_grant", error_description: 'Invalid "code" in request.' } },
      },
      logged: ["invalid_grant"],
    },
    // https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans: a page of Cloudflare
    "an error of the API, which is a page": {
      script: {
        userinfo: {
          status: 429,
          headers: { "content-type": "text/html" },
          raw: "<title>Access denied | error code: 1015</title>",
        },
      },
      logged: ["429", "error code: 1015"],
    },
  },
};
