import type { ProviderExpectations } from "@cardea/testing";
import { Dropbox } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Dropbox,
  id: "dropbox",
  name: "Dropbox",
  authorizationUrl: "https://www.dropbox.com/oauth2/authorize?scope=account_info.read&token_access_type=offline",
  profile: {
    account_id: "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc",
    name: { given_name: "Ada", surname: "Lovelace", display_name: "Ada Lovelace" },
    email: "ada@example.com",
    email_verified: true,
    profile_photo_url: "https://dl-web.dropbox.com/account_photo/get/ada",
  },
  profileWithIdOnly: { account_id: "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc" },
  profileWithoutId: { name: { display_name: "Ada Lovelace" }, email: "ada@example.com", email_verified: true },
  user: {
    id: "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://dl-web.dropbox.com/account_photo/get/ada",
  },
  emailVerified: true,
  responses: {
    // https://www.dropbox.com/developers/documentation/http/documentation#oauth2-token
    "members of its own": {
      tokens: {
        token_type: "bearer",
        expires_in: 14_400,
        scope: "account_info.read",
        uid: "12345",
        account_id: "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc",
        refresh_token: "nBiM85CZALsAAAAAAAAAAQXHBoNpNutK4ngsXHsqW4iGz9tisb3JyjGqikMJIYbd",
      },
    },
    // https://www.dropbox.com/developers/documentation/http/documentation#users-get_current_account
    "an account without a picture, whose address is not verified": {
      profile: {
        account_id: "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc",
        name: {
          given_name: "Ada",
          surname: "Lovelace",
          familiar_name: "Ada",
          display_name: "Ada Lovelace",
          abbreviated_name: "AL",
        },
        email: "ada@example.com",
        email_verified: false,
        disabled: false,
        locale: "en",
        is_paired: false,
        account_type: { ".tag": "basic" },
      },
      user: { image: null },
      emailVerified: false,
    },
    "an error of the token endpoint": {
      script: {
        token: {
          status: 400,
          body: { error: "invalid_grant", error_description: "code doesn't exist or has expired" },
        },
      },
      logged: ["invalid_grant", "doesn't exist or has expired"],
    },
    // https://www.dropbox.com/developers/documentation/http/documentation#error-handling
    "an error of the API": {
      script: {
        userinfo: {
          status: 401,
          body: {
            error_summary: "missing_scope/..",
            error: { ".tag": "missing_scope", required_scope: "account_info.read" },
          },
        },
      },
      logged: ["401", "missing_scope"],
    },
  },
};
