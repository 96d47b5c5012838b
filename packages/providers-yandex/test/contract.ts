import type { ProviderExpectations } from "@cardea/testing";
import { Yandex } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Yandex,
  id: "yandex",
  name: "Yandex",
  authorizationUrl: "https://oauth.yandex.ru/authorize?scope=login:info login:email login:avatar",
  profile: {
    id: "1000034426",
    login: "ada",
    display_name: "ada",
    real_name: "Ada Lovelace",
    default_email: "ada@example.com",
    emails: ["ada@example.com"],
    default_avatar_id: "131652443",
    is_avatar_empty: false,
  },
  user: {
    id: "1000034426",
    name: "ada",
    email: "ada@example.com",
    image: "https://avatars.yandex.net/get-yapic/131652443/islands-200",
  },
  responses: {
    // https://yandex.com/dev/id/doc/en/codes/code-url#token-response and https://yandex.com/dev/id/doc/en/user-information
    "a user without address and avatar": {
      tokens: {
        token_type: "bearer",
        expires_in: 31_536_000,
        refresh_token: "1:GN686QVt0mmakDd9:A4pYuW9LGk0_UnlrMIWklkAuJkUWbq27loFekJVmSYrdfzdePBy7:A-2dHOmBxiXgajnD-kYOwQ",
      },
      profile: {
        id: "1000034426",
        login: "ada",
        client_id: "4760187d81bc4b7799476b42b5103713",
        display_name: "ada",
        real_name: "Ada Lovelace",
        first_name: "Ada",
        last_name: "Lovelace",
        sex: null,
        emails: [],
        default_avatar_id: "0/0-0",
        is_avatar_empty: true,
        psuid: "1.AAceCw.tbHgw5DtJ9_zeqPrk-Ba2w.qPWSRC5v2t2IaksPJgnge",
      },
      user: { email: null, image: null },
    },
    // https://yandex.com/dev/id/doc/en/codes/code-url#error
    "an application that was blocked": {
      script: {
        authorize: {
          error: { error: "unauthorized_client", error_description: "The app was rejected during moderation." },
        },
      },
      logged: ["unauthorized_client"],
    },
    "an error of the token endpoint": {
      script: { token: { status: 400, body: { error: "invalid_grant", error_description: "Code has expired" } } },
      logged: ["invalid_grant", "Code has expired"],
    },
    // Not documented: the response has no JSON
    "an error of the API": {
      script: {
        userinfo: {
          status: 401,
          headers: { "content-type": "text/plain" },
          raw: "authentication error: expired_token",
        },
      },
      logged: ["401", "expired_token"],
    },
  },
};
