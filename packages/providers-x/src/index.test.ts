import { providerContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { X } from "./index.ts";

providerContract(
  { describe, it, expect },
  {
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
  },
);

it("vouches for the address where there is one", async () => {
  const data = { id: "1", name: "Ada", username: "ada", confirmed_email: "ada@example.com" };
  expect(await X().profile?.({ data }, {})).toMatchObject({ email: "ada@example.com", emailVerified: true });
});
