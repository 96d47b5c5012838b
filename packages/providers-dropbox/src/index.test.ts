import { providerContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { Dropbox } from "./index.ts";

providerContract(
  { describe, it, expect },
  {
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
  },
);
