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
  profileWithoutId: { name: { display_name: "Ada Lovelace" }, email: "ada@example.com", email_verified: true },
  user: {
    id: "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://dl-web.dropbox.com/account_photo/get/ada",
  },
  emailVerified: true,
};
