import type { ProviderExpectations } from "@cardea/testing";
import { X } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: X,
  id: "twitter",
  name: "X",
  authorizationUrl: "https://x.com/i/oauth2/authorize?scope=users.read tweet.read offline.access",
  profile: {
    data: {
      id: "2244994945",
      name: "Ada Lovelace",
      username: "ada",
      profile_image_url: "https://pbs.twimg.com/profile_images/1815/ada_normal.jpg",
    },
  },
  profileWithoutId: { data: { name: "Ada Lovelace", username: "ada" } },
  user: {
    id: "2244994945",
    name: "Ada Lovelace",
    email: null,
    image: "https://pbs.twimg.com/profile_images/1815/ada_normal.jpg",
  },
};
