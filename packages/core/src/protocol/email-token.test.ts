import { describe, expect, it } from "vitest";
import { buildEmailLink, isLinkValid, parseEmailLink } from "./email-token.ts";

describe("isLinkValid()", () => {
  const facts = { now: 5_000, sentAt: 1_000, expires: 10_000, lastProven: null };

  it("1. H174 counts until its expiry, not at it", () => {
    expect(isLinkValid({ ...facts, now: 9_999 })).toBe(true);
    expect(isLinkValid({ ...facts, now: 10_000 })).toBe(false);
    expect(isLinkValid({ ...facts, now: 10_001 })).toBe(false);
  });

  it("2. H175 is void when it was sent before the link that was used last", () => {
    expect(isLinkValid({ ...facts, lastProven: 999 })).toBe(true);
    expect(isLinkValid({ ...facts, lastProven: 1_000 })).toBe(true);
    expect(isLinkValid({ ...facts, lastProven: 1_001 })).toBe(false);
  });
});

describe("parseEmailLink()", () => {
  const read = (params: Record<string, unknown>) => parseEmailLink((name) => params[name]);

  it("reads back what a link was built of", () => {
    const params = { callbackUrl: "https://app.example.com/?a=1&b=2", token: "t+/=", email: "a+b@x.io" };
    const url = new URL(buildEmailLink("https://app.example.com/auth/callback/email", params));
    expect(parseEmailLink((name) => url.searchParams.get(name))).toEqual({ token: "t+/=", email: "a+b@x.io" });
    expect(url.searchParams.get("callbackUrl")).toBe(params.callbackUrl);
  });

  it.each([{}, { token: "t" }, { email: "a@x.io" }, { token: "", email: "a@x.io" }, { token: ["t"], email: "a@x.io" }])(
    "refuses %j",
    (params) => {
      expect(read(params)).toBeNull();
    },
  );

  it("refuses a token that is longer than any", () => {
    expect(read({ token: "x".repeat(512), email: "a@x.io" })).not.toBeNull();
    expect(read({ token: "x".repeat(513), email: "a@x.io" })).toBeNull();
  });
});
