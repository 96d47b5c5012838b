import { describe, expect, it } from "vitest";
import { USER } from "../test/contract.ts";
import { GitHub } from "./index.ts";

it("has its endpoints at a GitHub Enterprise Server", () => {
  const { authorization, token, userinfo } = GitHub({ enterprise: { baseUrl: "https://git.example.com" } });
  expect([authorization, token, userinfo].map((endpoint) => Object(endpoint).url)).toEqual([
    "https://git.example.com/login/oauth/authorize",
    "https://git.example.com/login/oauth/access_token",
    "https://git.example.com/api/v3/user",
  ]);
});

it("has its API on a host of its own at GHE.com", () => {
  const { token, userinfo } = GitHub({ enterprise: { baseUrl: "https://acme.ghe.com/" } });
  expect([token, userinfo].map((endpoint) => Object(endpoint).url)).toEqual([
    "https://acme.ghe.com/login/oauth/access_token",
    "https://api.acme.ghe.com/user",
  ]);
});

describe("the address", () => {
  const answers: Record<string, Response> = {};
  const provider = GitHub();
  const request = async (emails: Response) => {
    answers["https://api.github.com/user"] = Response.json(USER);
    answers["https://api.github.com/user/emails?per_page=100"] = emails;
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

  // https://docs.github.com/en/rest/users/emails#list-email-addresses-for-the-authenticated-user: 30 in a page unless more are asked for.
  it("is found among the hundred of the longest page", async () => {
    const primary = { email: "ada@example.com", primary: true, verified: true };
    expect(await request(Response.json([primary]))).toMatchObject({ email: "ada@example.com", email_verified: true });
  });
});
