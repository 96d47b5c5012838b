import type { ProviderExpectations } from "@cardea/testing";
import { Kakao } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Kakao,
  id: "kakao",
  name: "Kakao",
  authorizationUrl: "https://kauth.kakao.com/oauth/authorize",
  profile: {
    id: 123_456_789,
    connected_at: "2026-01-01T00:00:00Z",
    kakao_account: {
      profile: { nickname: "Ada", profile_image_url: "https://k.kakaocdn.net/ada.jpg" },
      email: "ada@example.com",
      is_email_valid: true,
      is_email_verified: true,
    },
  },
  user: { id: "123456789", name: "Ada", email: "ada@example.com", image: "https://k.kakaocdn.net/ada.jpg" },
  emailVerified: true,
  responses: {
    // https://developers.kakao.com/docs/latest/en/kakaologin/rest-api#request-token-response
    "tokens with a second lifetime": {
      tokens: {
        token_type: "bearer",
        expires_in: 43_199,
        refresh_token: "kakao-refresh",
        refresh_token_expires_in: 5_184_000,
        scope: "account_email profile",
      },
    },
    // https://developers.kakao.com/docs/latest/en/kakaologin/rest-api#kakaoaccount
    "a user who shares nothing": {
      profile: {
        id: 123_456_789,
        connected_at: "2026-01-01T00:00:00Z",
        kakao_account: { profile_nickname_needs_agreement: true, has_email: true, email_needs_agreement: true },
      },
      user: { name: null, email: null, image: null },
      emailVerified: false,
    },
    "an address that belongs to another account now": {
      profile: {
        id: 123_456_789,
        kakao_account: {
          profile: { nickname: "Ada", is_default_image: true },
          email: "ada@example.com",
          is_email_valid: false,
          is_email_verified: true,
        },
      },
      user: { image: null },
      emailVerified: false,
    },
    // https://developers.kakao.com/docs/latest/en/kakaologin/trouble-shooting
    "an error of the token endpoint": {
      script: {
        token: {
          status: 400,
          body: { error: "invalid_grant", error_description: "authorization code not found", error_code: "KOE320" },
        },
      },
      logged: ["invalid_grant", "authorization code not found"],
    },
    // https://developers.kakao.com/docs/latest/en/rest-api/reference#error-code
    "an error of the API": {
      script: {
        userinfo: {
          status: 403,
          body: { msg: "insufficient scopes.", code: -402, required_scopes: ["account_email"] },
        },
      },
      logged: ["insufficient scopes.", "-402"],
    },
  },
};
