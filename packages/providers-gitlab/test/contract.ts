import type { ProviderExpectations } from "@cardea/testing";
import { GitLab } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: GitLab,
  id: "gitlab",
  name: "GitLab",
  authorizationUrl: "https://gitlab.com/oauth/authorize?scope=read_user",
  profile: {
    id: 1815,
    username: "ada",
    name: "Ada Lovelace",
    email: "ada@example.com",
    confirmed_at: "2026-01-01T00:00:00.000Z",
    avatar_url: "https://gitlab.com/uploads/-/system/user/avatar/1815/avatar.png",
  },
  user: {
    id: "1815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://gitlab.com/uploads/-/system/user/avatar/1815/avatar.png",
  },
  emailVerified: true,
};
