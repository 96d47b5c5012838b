import type { ProviderExpectations } from "@cardea/testing";
import { Notion } from "../src/index.ts";

const USER = {
  object: "user",
  id: "6794760a-1f15-45cd-9c65-0dfe42f5135a",
  name: "Ada Lovelace",
  avatar_url: "https://s3-us-west-2.amazonaws.com/public.notion-static.com/ada.png",
  type: "person",
  person: { email: "ada@example.com" },
};

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Notion,
  id: "notion",
  name: "Notion",
  authorizationUrl: "https://api.notion.com/v1/oauth/authorize?owner=user",
  profile: { object: "user", type: "bot", bot: { owner: { type: "user", user: USER } } },
  profileWithoutId: { object: "user", type: "bot", bot: { owner: { type: "user", user: { ...USER, id: null } } } },
  user: { id: USER.id, name: "Ada Lovelace", email: "ada@example.com", image: USER.avatar_url },
};
