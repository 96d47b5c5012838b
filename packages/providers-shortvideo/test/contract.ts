import type { ProviderExpectations } from "@cardea/testing";
import { TikTok } from "../src/index.ts";

export const USER = { open_id: "-000abc", display_name: "Ada", avatar_url: "https://p16.tiktokcdn.example/ada.jpeg" };
export const OK = { code: "ok", message: "", log_id: "20260101000000AAAA" };
/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: TikTok,
  id: "tiktok",
  name: "TikTok",
  authorizationUrl: "https://www.tiktok.com/v2/auth/authorize/?client_key=client-id&scope=user.info.basic",
  checks: ["state"],
  profile: { data: { user: USER }, error: OK },
  profileWithoutId: { data: { user: { ...USER, open_id: "" } }, error: OK },
  profileWithIdOnly: { data: { user: { open_id: USER.open_id } }, error: OK },
  tokens: { open_id: USER.open_id, refresh_token: "rft", refresh_expires_in: 31_536_000, scope: "user.info.basic" },
  user: { id: USER.open_id, name: "Ada", email: null, image: USER.avatar_url },
  responses: {
    "fewer fields, as the application requests them": {
      options: { userinfo: { params: { fields: "open_id,display_name" } } },
      profile: { data: { user: { open_id: USER.open_id, display_name: "Ada" } }, error: OK },
      user: { image: null },
    },
    "fewer fields, in the URL": {
      options: { userinfo: "https://open.tiktokapis.com/v2/user/info/?fields=open_id" },
      profile: { data: { user: { open_id: USER.open_id } }, error: OK },
      user: { name: null, image: null },
    },
    // https://developers.tiktok.com/doc/oauth-user-access-token-management
    "tokens for several scopes": {
      tokens: {
        expires_in: 86_400,
        refresh_token: "rft.1815",
        refresh_expires_in: 31_536_000,
        scope: "user.info.basic,video.list",
        token_type: "Bearer",
      },
      // https://developers.tiktok.com/doc/login-kit-web
      script: { authorize: { params: { add: { scopes: "user.info.basic,video.list" } } } },
    },
    // https://developers.tiktok.com/doc/oauth-error-handling
    "an error of the token endpoint": {
      script: {
        token: {
          status: 400,
          body: {
            error: "invalid_grant",
            error_description: "Authorization code is expired.",
            log_id: "2026020100000000AAAA",
          },
        },
      },
      logged: ["invalid_grant", "Authorization code is expired."],
    },
    "an error of the token endpoint with status 200": {
      script: {
        token: {
          body: {
            error: "invalid_request",
            error_description: "Redirect_uri is not matched.",
            log_id: "2026020100000000AAAA",
          },
        },
      },
      logged: ["invalid_request", "Redirect_uri is not matched."],
    },
    // https://developers.tiktok.com/doc/tiktok-api-v2-error-handling
    "an error of the API": {
      script: {
        userinfo: {
          status: 401,
          body: {
            data: {},
            error: {
              code: "scope_not_authorized",
              message: "The user did not authorize the scope",
              log_id: "2026020100000000BBBB",
            },
          },
        },
      },
      logged: ["scope_not_authorized", "2026020100000000BBBB"],
    },
  },
};
