import type { ProviderExpectations } from "@cardea/testing";
import { LINE } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: LINE,
  id: "line",
  name: "LINE",
  authorizationUrl: "https://access.line.me/oauth2/v2.1/authorize?scope=openid profile",
  endpoints: {
    authorize: "https://access.line.me/oauth2/v2.1/authorize",
    token: "https://api.line.me/oauth2/v2.1/token",
    userinfo: "https://api.line.me/oauth2/v2.1/userinfo",
    jwks: "https://api.line.me/oauth2/v2.1/certs",
  },
  script: { idToken: { sign: "hmac-with-secret" } },
  profile: { sub: "U4af4980629", name: "Ada Lovelace", picture: "https://profile.line-scdn.net/ada" },
  user: { id: "U4af4980629", name: "Ada Lovelace", email: null, image: "https://profile.line-scdn.net/ada" },
};
