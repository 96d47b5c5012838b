import { expect, it } from "vitest";
import { GitLab } from "./index.ts";

it("has its endpoints where `baseUrl` says", () => {
  const { authorization, token, userinfo } = GitLab({ baseUrl: "https://git.example.com" });
  expect([authorization, token, userinfo].map((endpoint) => Object(endpoint).url)).toEqual([
    "https://git.example.com/oauth/authorize",
    "https://git.example.com/oauth/token",
    "https://git.example.com/api/v4/user",
  ]);
});
