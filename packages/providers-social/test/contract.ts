import type { ProviderExpectations } from "@cardea/testing";
import { VK } from "../src/index.ts";
import { MINIMAL } from "../src/vk-people.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: VK,
  id: "vk",
  name: "VK",
  authorizationUrl: "https://oauth.vk.com/authorize?v=5.126&scope=email",
  profile: { response: [MINIMAL] },
  profileWithoutId: { response: [{ ...MINIMAL, id: null }] },
  tokens: { user_id: 1815, email: "ada@example.com" },
  user: { id: "1815", name: "Ada Lovelace", email: "ada@example.com", image: MINIMAL.photo_100 },
};
