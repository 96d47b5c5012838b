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
};
