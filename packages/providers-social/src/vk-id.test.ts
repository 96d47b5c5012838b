import { createAuth, customFetch } from "@cardea/core";
import { createBrowser } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { VKID } from "./index.ts";

const USER = { user_id: "1815", first_name: "Ada", last_name: "Lovelace", avatar: "https://vk.example/a.jpg" };
const TOKENS = { access_token: "vk2.a.opaque", token_type: "Bearer", expires_in: 3600, user_id: 1815, scope: "email" };

/** Signs in at a VK ID that answers as the test says. */
async function signIn(answers: { token?: object; user?: object; callback?: Record<string, string> } = {}) {
  const calls: { url: string; method: string; body: Record<string, string> }[] = [];
  let state = "";
  const vk: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = Object.fromEntries(new URLSearchParams(await request.text()));
    calls.push({ url: request.url, method: request.method, body });
    if (request.url.endsWith("/auth")) return Response.json({ ...TOKENS, state, ...answers.token });
    return Response.json({ user: { ...USER, email: "ada@example.com" }, ...answers.user });
  };
  const seen: unknown[] = [];
  const errors: string[] = [];
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes",
    trustHost: true,
    logger: { error: (error) => errors.push(String(error)), warn: () => {}, debug: () => {} },
    providers: [VKID({ clientId: "51815", [customFetch]: vk })],
    callbacks: { signIn: ({ user, account }) => seen.push(user, account?.providerAccountId) > 0 },
  });
  const browser = createBrowser(handlers.GET);
  const begun = await browser.submit(await browser.navigate("/auth/signin"), { action: "/auth/signin/vkid" });
  const url = new URL(begun.redirectsTo ?? "about:blank");
  state = url.searchParams.get("state") ?? "";
  const callback = { code: "vk2.a.code", state, device_id: "device-7", type: "code_v2", ...answers.callback };
  const back = await browser.navigate(`/auth/callback/vkid?${new URLSearchParams(callback)}`, {
    initiator: "https://id.vk.ru",
  });
  return { url, calls, seen, errors, state, redirectsTo: back.redirectsTo };
}

describe("VKID()", () => {
  it("sends users to VK ID with PKCE and a state that VK ID accepts", async () => {
    const { url, state } = await signIn();
    expect(`${url.origin}${url.pathname}`).toBe("https://id.vk.ru/authorize");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      client_id: "51815",
      scope: "vkid.personal_info email",
      code_challenge_method: "S256",
    });
    expect(state).toMatch(/^[\w-]{32,}$/);
  });

  it("exchanges the code with its device, without a secret, and reads the user by POST", async () => {
    const { calls, seen, errors, state } = await signIn();
    expect(errors).toEqual([]);
    expect(calls).toEqual([
      {
        url: "https://id.vk.ru/oauth2/auth",
        method: "POST",
        body: {
          grant_type: "authorization_code",
          code: "vk2.a.code",
          device_id: "device-7",
          client_id: "51815",
          code_verifier: expect.stringMatching(/^[\w-]{43}$/),
          redirect_uri: expect.stringMatching(/\/auth\/callback\/vkid$/),
          state,
        },
      },
      {
        url: "https://id.vk.ru/oauth2/user_info",
        method: "POST",
        body: { client_id: "51815", access_token: "vk2.a.opaque" },
      },
    ]);
    const user = { id: "1815", name: "Ada Lovelace", email: "ada@example.com", image: USER.avatar };
    expect(seen).toEqual([user, "1815"]);
  });

  it("needs neither a name nor an address", async () => {
    const { seen } = await signIn({ user: { user: { user_id: "1815", email: "", avatar: "" } } });
    expect(seen).toEqual([{ id: "1815", name: null, email: null, image: null }, "1815"]);
  });

  it.each([
    [{ callback: { device_id: "" } }],
    [{ token: { state: "of another sign-in" } }],
    [{ token: { error: "invalid_grant", error_description: "Code is invalid or expired" } }],
    [{ user: { error: "invalid_token" } }],
    [{ user: { user: null } }],
    [{ user: { user: { first_name: "Ada" } } }],
    [{ user: { user: { ...USER, user_id: "1816" } } }],
    [{ token: { user_id: 1816 } }],
  ])("signs no one in when VK ID answers %j", async (answers) => {
    const { seen, redirectsTo } = await signIn(answers);
    expect([seen, redirectsTo]).toEqual([[], expect.stringContaining("error=OAuthCallbackError")]);
  });
});
