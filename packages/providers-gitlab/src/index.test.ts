import { providerContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { GitLab } from "./index.ts";

providerContract(
  { describe, it, expect },
  {
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
  },
);

it("has its endpoints where `baseUrl` says", () => {
  const { authorization, token, userinfo } = GitLab({ baseUrl: "https://git.example.com" });
  expect([authorization, token, userinfo].map((endpoint) => Object(endpoint).url)).toEqual([
    "https://git.example.com/oauth/authorize",
    "https://git.example.com/oauth/token",
    "https://git.example.com/api/v4/user",
  ]);
});
