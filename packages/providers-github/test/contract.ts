import type { ProviderExpectations } from "@cardea/testing";
import { GitHub } from "../src/index.ts";

export const USER = {
  id: 1815,
  login: "ada",
  name: "Ada Lovelace",
  email: "public@example.com",
  avatar_url: "https://avatars.githubusercontent.com/u/1815?v=4",
};

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: GitHub,
  id: "github",
  name: "GitHub",
  authorizationUrl: "https://github.com/login/oauth/authorize?scope=read:user user:email",
  profile: USER,
  resources: {
    "https://api.github.com/user/emails": [
      { email: "old@example.com", primary: false, verified: true, visibility: null },
      { email: "ada@example.com", primary: true, verified: true, visibility: "private" },
    ],
  },
  user: { id: "1815", name: "Ada Lovelace", email: "ada@example.com", image: USER.avatar_url },
  emailVerified: true,
};
