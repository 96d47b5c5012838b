import type { ProviderExpectations } from "@cardea/testing";
import { Naver } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Naver,
  id: "naver",
  name: "NAVER",
  authorizationUrl: "https://nid.naver.com/oauth2.0/authorize",
  tokens: { expires_in: "3600" },
  profile: {
    resultcode: "00",
    message: "success",
    response: {
      id: "32742776",
      nickname: "Ada",
      name: "Ada Lovelace",
      email: "ada@example.com",
      profile_image: "https://ssl.pstatic.net/static/ada.gif",
    },
  },
  profileWithIdOnly: { response: { id: "32742776" } },
  profileWithoutId: { resultcode: "00", message: "success", response: { nickname: "Ada" } },
  user: { id: "32742776", name: "Ada", email: "ada@example.com", image: "https://ssl.pstatic.net/static/ada.gif" },
  responses: {
    // https://developers.naver.com/docs/login/profile/profile.md
    "a user who shares only what is required": {
      profile: { resultcode: "00", message: "success", response: { id: "32742776" } },
      // https://developers.naver.com/docs/login/api/api.md
      tokens: {
        token_type: "bearer",
        expires_in: "3600",
        refresh_token: "c8ceMEjfnorlQwEisqemfpM1Wzw7aGp7JnipglQipkOn5Zp3tyP7dHQoP0zNKHUq2gY",
      },
      user: { name: null, email: null, image: null },
    },
    // https://developers.naver.com/docs/login/api/api.md: errors have status 200
    "an error of the token endpoint with status 200": {
      script: { token: { body: { error: "invalid_request", error_description: "no valid data in session" } } },
      logged: ["invalid_request", "no valid data in session"],
    },
    // https://developers.naver.com/docs/login/profile/profile.md
    "an error of the API": {
      script: { userinfo: { status: 401, body: { resultcode: "024", message: "Authentication failed" } } },
      logged: ["024", "Authentication failed"],
    },
  },
};
