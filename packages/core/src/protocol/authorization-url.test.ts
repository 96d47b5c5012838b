import { describe, expect, it } from "vitest";
import { type AuthorizationRequest, buildAuthorizationUrl } from "./authorization-url.ts";

const REQUEST: AuthorizationRequest = {
  endpoint: "https://op.example.com/authorize",
  clientId: "cid",
  redirectUri: "https://app.example.com/auth/callback/op",
  state: "STATE",
  nonce: "NONCE",
  codeChallenge: "CHALLENGE",
  params: { scope: "openid" },
  requested: { by: "visitor", params: [] },
};

const RESERVED = [
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "request",
  "request_uri",
];

function build(changes: Partial<AuthorizationRequest>): URLSearchParams {
  return new URL(buildAuthorizationUrl({ ...REQUEST, ...changes })).searchParams;
}

describe("buildAuthorizationUrl()", () => {
  it("has the parameters of RFC 6749 §4.1.1, RFC 7636 §4.3 and OIDC Core §3.1.2.1, each once", () => {
    expect([...build({})].sort()).toEqual([
      ["client_id", "cid"],
      ["code_challenge", "CHALLENGE"],
      ["code_challenge_method", "S256"],
      ["nonce", "NONCE"],
      ["redirect_uri", "https://app.example.com/auth/callback/op"],
      ["response_type", "code"],
      ["scope", "openid"],
      ["state", "STATE"],
    ]);
  });

  it("leaves out nonce and challenge where the flow has none, wherever else they are named", () => {
    const names = { nonce: "n", code_challenge: "c", code_challenge_method: "plain" };
    const query = build({
      endpoint: `https://op.example.com/authorize?${new URLSearchParams(names)}`,
      nonce: undefined,
      codeChallenge: undefined,
      params: names,
      requested: { by: "server", params: Object.entries(names) },
    });
    for (const name of Object.keys(names)) expect(query.has(name)).toBe(false);
  });

  it.each(RESERVED)("takes no %s from the sign-in request", (name) => {
    const honest = build({}).getAll(name);
    expect(build({ requested: { by: "server", params: [[name, "evil"]] } }).getAll(name)).toEqual(honest);
  });

  it.each(RESERVED)("takes no %s from the sign-in request when it comes twice", (name) => {
    const honest = build({}).getAll(name);
    const twice = [
      [name, "evil"],
      [name, "worse"],
    ] as const;
    expect(build({ requested: { by: "visitor", params: twice } }).getAll(name)).toEqual(honest);
  });

  it("sends what the sign-in may add, each parameter once", () => {
    const query = build({
      endpoint: "https://op.example.com/authorize?prompt=none&tenant=t",
      params: { scope: "openid", prompt: "login", hd: "example.com" },
      requested: {
        by: "visitor",
        params: [
          ["prompt", "consent"],
          ["prompt", "select_account"],
          ["login_hint", "ada@example.com"],
          ["scope", "openid email"],
          ["tenant", "other"],
        ],
      },
    });
    expect(query.getAll("prompt")).toEqual(["login consent select_account"]);
    expect(query.getAll("scope")).toEqual(["openid email"]);
    expect(query.get("login_hint")).toBe("ada@example.com");
    expect(query.get("hd")).toBe("example.com");
    expect(query.getAll("tenant")).toEqual(["t"]);
  });

  it("sends no empty scope", () => {
    expect(build({ params: { scope: "" } }).has("scope")).toBe(false);
    expect(build({ params: {}, endpoint: "https://op.example.com/authorize?scope" }).has("scope")).toBe(false);
  });

  it("lets the provider choose the response mode, and none of what ties the answer to the browser", () => {
    const query = build({
      params: { response_mode: "form_post", state: "x", nonce: "x", client_id: "x", redirect_uri: "x" },
    });
    expect(query.get("response_mode")).toBe("form_post");
    expect([query.get("state"), query.get("nonce"), query.get("client_id")]).toEqual(["STATE", "NONCE", "cid"]);
    expect(query.get("redirect_uri")).toBe(REQUEST.redirectUri);
  });

  it("overrides what the endpoint's own query says of the flow", () => {
    const query = build({ endpoint: "https://op.example.com/authorize?state=evil&client_id=evil&redirect_uri=evil" });
    expect([query.getAll("state"), query.getAll("client_id")]).toEqual([["STATE"], ["cid"]]);
    expect(query.getAll("redirect_uri")).toEqual([REQUEST.redirectUri]);
  });

  it("encodes values, so that none becomes a parameter, a fragment or a line", () => {
    const url = buildAuthorizationUrl({
      ...REQUEST,
      requested: { by: "visitor", params: [["login_hint", "a&state=evil#x\r\ny"]] },
    });
    expect(url).not.toMatch(/[\r\n#]/);
    expect(new URL(url).searchParams.getAll("state")).toEqual(["STATE"]);
    expect(new URL(url).searchParams.get("login_hint")).toBe("a&state=evil#x\r\ny");
  });
});
