import { createAuth, customFetch } from "@cardea/core";
import { createBrowser, createScriptedProvider, type JsonObject } from "@cardea/testing";
import { describe, expect, it, vi } from "vitest";
import { OK, USER } from "../test/contract.ts";
import { TikTok, type TikTokProfile } from "./index.ts";

const FULL = {
  ...USER,
  avatar_url_100: "https://p16.tiktokcdn.example/ada-100.jpeg",
  avatar_large_url: "https://p16.tiktokcdn.example/ada-large.jpeg",
  bio_description: "Counts",
  follower_count: 1815,
  following_count: 1,
  is_verified: true,
  likes_count: 1843,
  profile_deep_link: "https://vm.tiktok.com/ada",
  union_id: "c9c60f44",
  username: "ada",
  video_count: 7,
};

/** What `profile()` makes of an answer. */
async function map(answer: unknown, options: Parameters<typeof TikTok>[0] = {}): Promise<unknown> {
  return TikTok(options).profile?.(parseProfile(answer), {});
}

function parseProfile(answer: unknown): TikTokProfile {
  return answer as TikTokProfile;
}

/** A sign-in, and what was asked and logged meanwhile. */
async function signIn(profile: JsonObject, { status = 200, options = {}, origin = "https://app.example.com" } = {}) {
  const op = createScriptedProvider({
    issuer: "https://www.tiktok.com",
    type: "oauth2",
    endpoints: {
      authorize: "https://www.tiktok.com/v2/auth/authorize/",
      token: "https://open.tiktokapis.com/v2/oauth/token/",
      userinfo: "https://open.tiktokapis.com/v2/user/info/",
    },
    user: profile,
  });
  op.script = { userinfo: { status } };
  const errors: Error[] = [];
  const warnings: string[] = [];
  const { clientId, clientSecret } = op;
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes",
    trustHost: true,
    providers: [TikTok({ clientId, ...(clientSecret && { clientSecret }), [customFetch]: op.fetch, ...options })],
    logger: { error: (error) => errors.push(error), warn: (code) => warnings.push(code), debug: () => {} },
  });
  const browser = createBrowser(handlers.GET, { origin });
  const begun = await browser.submit(await browser.navigate("/auth/signin"), { action: "/auth/signin/tiktok" });
  const { url } = await op.authorize(begun.redirectsTo ?? "");
  await browser.navigate(url, { initiator: op.issuer });
  return { op, errors, warnings, causes: errors.flatMap(causesOf) };
}

function causesOf(error: unknown): string[] {
  if (typeof error !== "object" || error === null) return [];
  const { message, cause, err } = Object(error);
  return [...(typeof message === "string" ? [message] : []), ...causesOf(cause), ...causesOf(err)];
}

describe("the answer of the profile request", () => {
  it("spec 2.11 may have every field", async () => {
    const fields = ["open_id", "avatar_url", "display_name", "username"] as const;
    expect(await map({ data: { user: FULL }, error: OK }, { fields })).toEqual({
      id: USER.open_id,
      name: "Ada",
      email: null,
      image: USER.avatar_url,
    });
  });

  it("may have fields that no one knows", async () => {
    const answer = {
      data: { user: { ...USER, star_sign: "Sagittarius" }, more: 1 },
      error: { ...OK, more: 1 },
      more: 1,
    };
    expect(await map(answer)).toMatchObject({ id: USER.open_id });
  });

  it("needs the id, whatever was asked for", async () => {
    const fields = ["display_name"] as const;
    await expect(map({ data: { user: { display_name: "Ada" } }, error: OK }, { fields })).rejects.toThrow("open_id");
    expect(await map({ data: { user: { open_id: "1" } }, error: OK }, { fields: ["open_id"] })).toEqual({
      id: "1",
      name: null,
      email: null,
      image: null,
    });
  });

  it.each([
    ["data.user.display_name", { data: { user: { ...USER, display_name: 7 } }, error: OK }],
    ["data.user.open_id", { data: { user: { ...USER, open_id: undefined } }, error: OK }],
    ["data.user.follower_count", { data: { user: { ...USER, follower_count: "many" } }, error: OK }],
    ["data.user", { data: {}, error: OK }],
    ["data", { error: OK }],
  ])("that does not fit is an error naming %s", async (path, answer) => {
    await expect(map(answer)).rejects.toThrow(new RegExp(`^${path}: `));
  });

  it("is refused when it is about another user than the token response", async () => {
    const answer = { data: { user: USER }, error: OK };
    const mapFor = async (open_id: string) =>
      TikTok().profile?.(parseProfile(answer), { access_token: "act", open_id });
    await expect(mapFor("-000abd")).rejects.toThrow("another user");
    expect(await mapFor(USER.open_id)).toMatchObject({ id: USER.open_id });
  });

  it.each([200, 401])(
    "spec 7 rule 5 of an error with status %i is an error with its code and log id",
    async (status) => {
      const error = { code: "access_token_invalid", message: "The access token is invalid", log_id: "LOG-1" };
      const { causes } = await signIn({ data: {}, error }, { status });
      expect(causes.join("\n")).toContain("access_token_invalid (log_id LOG-1)");
    },
  );

  it("that does not fit is logged as OAuthProfileParseError naming the path", async () => {
    const { errors, causes } = await signIn({ data: { user: { ...USER, display_name: 7 } }, error: OK });
    expect(errors.map((error) => Object(error).type)).toEqual(["OAuthProfileParseError"]);
    expect(causes.join("\n")).toContain("data.user.display_name");
  });
});

describe("the requests", () => {
  it("carry the client id as `client_key`, and ask for the fields", async () => {
    const { op } = await signIn({ data: { user: FULL }, error: OK }, { options: { fields: ["open_id", "username"] } });
    expect(op.calls.authorize[0]?.params.get("client_key")).toBe("cid");
    const token = op.calls.token[0]?.params;
    expect([token?.get("client_key"), token?.get("client_secret")]).toEqual(["cid", "csecret"]);
    expect(new URL(op.calls.userinfo[0]?.url ?? "").searchParams.get("fields")).toBe("open_id,username");
  });
});

describe("a callback URL on localhost", () => {
  it.each([
    ["production", 1],
    ["development", 0],
  ])("is warned about in %s %i times", async (mode, times) => {
    vi.stubEnv("NODE_ENV", mode);
    const { warnings } = await signIn({ data: { user: USER }, error: OK }, { origin: "http://localhost:3000" });
    vi.unstubAllEnvs();
    expect(warnings.filter((warning) => warning.includes("http://localhost:3000/auth/callback/tiktok"))).toHaveLength(
      times,
    );
  });
});
