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
  responses: {
    // https://developers.line.biz/en/reference/line-login/#issue-access-token and
    // https://developers.line.biz/en/docs/line-login/verify-id-token/#payload; `scope` never contains `email`
    "the address, with the permission for it": {
      options: { authorization: { params: { scope: "openid profile email" } } },
      tokens: {
        token_type: "Bearer",
        expires_in: 2_592_000,
        refresh_token: "Aa1FdeggRhTnPNNpxr8p",
        scope: "profile openid",
      },
      profile: {
        sub: "U4af4980629",
        name: "Ada Lovelace",
        picture: "https://profile.line-scdn.net/ada",
        email: "ada@example.com",
      },
      script: { idToken: { claims: { set: { amr: ["linesso"] } } } },
      user: { email: "ada@example.com" },
    },
    "a user without a picture": { profile: { sub: "U4af4980629", name: "Ada Lovelace" }, user: { image: null } },
    // https://developers.line.biz/en/docs/line-login/integrate-line-login/#receiving-the-authorization-code-or-error-response-with-a-web-app
    "an error at the callback": {
      script: { authorize: { error: { error: "invalid_request", error_description: "The request is malformed" } } },
      logged: ["invalid_request"],
    },
    "an error of the token endpoint": {
      script: {
        token: { status: 400, body: { error: "invalid_grant", error_description: "invalid authorization code" } },
      },
      logged: ["invalid_grant", "invalid authorization code"],
    },
  },
  // https://developers.line.biz/en/docs/line-login/integrate-line-login/#receiving-an-error-response
  cancelled: ["ACCESS_DENIED"],
};
