import { providerContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { GitHub } from "./index.ts";

const USER = {
  id: 1815,
  login: "ada",
  name: "Ada Lovelace",
  email: "public@example.com",
  avatar_url: "https://avatars.githubusercontent.com/u/1815?v=4",
};

providerContract(
  { describe, it, expect },
  {
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
  },
);

it("has its endpoints at a GitHub Enterprise Server", () => {
  const { authorization, token, userinfo } = GitHub({ enterprise: { baseUrl: "https://git.example.com" } });
  expect([authorization, token, userinfo].map((endpoint) => Object(endpoint).url)).toEqual([
    "https://git.example.com/login/oauth/authorize",
    "https://git.example.com/login/oauth/access_token",
    "https://git.example.com/api/v3/user",
  ]);
});

describe("the address", () => {
  const answers: Record<string, Response> = {};
  const provider = GitHub();
  const request = async (emails: Response) => {
    answers["https://api.github.com/user"] = Response.json(USER);
    answers["https://api.github.com/user/emails"] = emails;
    const fetch = async (url: string | URL | Request) => answers[String(url)] ?? new Response(null, { status: 404 });
    return Object(provider.userinfo).request({ tokens: { access_token: "at" }, provider, fetch });
  };

  it("is not verified where GitHub says so", async () => {
    const primary = { email: "ada@example.com", primary: true, verified: false };
    expect(await request(Response.json([primary]))).toMatchObject({ email: "ada@example.com", email_verified: false });
  });

  it("is the public one where the list may not be read", async () => {
    const profile = await request(new Response(null, { status: 403 }));
    expect([profile.email, profile.email_verified]).toEqual([USER.email, undefined]);
  });
});
