import { describe, expect, it } from "vitest";
import { checkSetCookie, domainMatches, MAX_AGE_SECONDS, pathMatches } from "./cookie-rules.ts";

const secure = new URL("https://app.example.com/auth/callback/op");
const plain = new URL("http://app.example.com/auth/callback/op");
const local = new URL("http://localhost:3000/");

function judge(line: string, url = secure) {
  return checkSetCookie(line, url, 1_000);
}

describe("checkSetCookie()", () => {
  it("keeps the value as it came, and fills in what the line leaves out", () => {
    expect(judge("a=b%20c")).toEqual({
      ok: true,
      cookie: {
        name: "a",
        value: "b%20c",
        domain: "app.example.com",
        hostOnly: true,
        path: "/auth/callback",
        secure: false,
        httpOnly: false,
        sameSite: "lax",
      },
    });
  });

  it("refuses control characters and empty pairs", () => {
    expect(judge("a=b\u0000c").ok).toBe(false);
    expect(judge("=").ok).toBe(false);
  });

  it("ignores a pair over 4096 bytes, and keeps one of exactly 4096", () => {
    expect(judge(`a=${"x".repeat(4095)}; Path=/`).ok).toBe(true);
    expect(judge(`a=${"x".repeat(4096)}; Path=/`)).toMatchObject({ ok: false, name: "a" });
  });

  it("ignores an attribute over 1024 bytes, not the cookie", () => {
    expect(judge(`a=b; Path=/${"x".repeat(1023)}`)).toMatchObject({ cookie: { path: `/${"x".repeat(1023)}` } });
    expect(judge(`a=b; Path=/${"x".repeat(1024)}`)).toMatchObject({ cookie: { path: "/auth/callback" } });
  });

  it.each([
    ["example.com", "example.com"],
    [".Example.com", "example.com"],
    ["app.example.com", "app.example.com"],
  ])("accepts Domain=%s", (domain, kept) => {
    expect(judge(`a=b; Domain=${domain}`)).toMatchObject({ cookie: { domain: kept, hostOnly: false } });
  });

  it.each(["other.com", "x.app.example.com", "com", "ample.com"])("refuses Domain=%s", (domain) => {
    expect(judge(`a=b; Domain=${domain}`).ok).toBe(false);
  });

  it("keeps Secure cookies from https and, as Chromium does, from loopback hosts", () => {
    expect(judge("a=b; Secure").ok).toBe(true);
    expect(judge("a=b; Secure", plain).ok).toBe(false);
    expect(judge("a=b; Secure", local).ok).toBe(true);
    expect(judge("a=b; Secure", new URL("http://127.0.0.1:1/")).ok).toBe(true);
    expect(judge("a=b; Secure", new URL("http://localhost.example.com/")).ok).toBe(false);
  });

  it("refuses SameSite=None without Secure", () => {
    expect(judge("a=b; SameSite=None").ok).toBe(false);
    expect(judge("a=b; SameSite=None; Secure")).toMatchObject({ cookie: { sameSite: "none" } });
    expect(judge("a=b; SameSite=Perhaps")).toMatchObject({ cookie: { sameSite: "lax" } });
  });

  it.each([
    ["__Secure-a=b; Secure", true],
    ["__Secure-a=b", false],
    ["__secure-a=b", false],
    ["__Host-a=b; Secure; Path=/", true],
    ["__Host-a=b; Path=/", false],
    ["__Host-a=b; Secure", false],
    ["__Host-a=b; Secure; Path=/auth", false],
    ["__Host-a=b; Secure; Path=/; Domain=app.example.com", false],
    ["=__Host-a=b; Path=/", false],
  ])("checks the prefix of %s", (line, ok) => {
    expect(judge(line).ok).toBe(ok);
  });

  it("accepts prefixes on plain http to loopback, as Chromium 156 was seen to", () => {
    expect(judge("__Host-a=b; Secure; Path=/", local).ok).toBe(true);
  });

  it("prefers Max-Age over Expires and shortens both to 400 days", () => {
    const past = "Thu, 01 Jan 1970 00:00:00 GMT";
    expect(judge(`a=b; Max-Age=10; Expires=${past}`)).toMatchObject({ cookie: { expires: 11_000 } });
    expect(judge(`a=b; Expires=${past}`)).toMatchObject({ cookie: { expires: 0 } });
    expect(judge("a=b; Max-Age=-1")).toMatchObject({ cookie: { expires: 0 } });
    expect(judge("a=b; Max-Age=99999999999")).toMatchObject({ cookie: { expires: 1_000 + MAX_AGE_SECONDS * 1000 } });
  });
});

describe("pathMatches()", () => {
  it("matches whole segments", () => {
    expect(pathMatches("/auth", "/auth")).toBe(true);
    expect(pathMatches("/auth/x", "/auth")).toBe(true);
    expect(pathMatches("/authx", "/auth")).toBe(false);
    expect(pathMatches("/auth", "/auth/")).toBe(false);
    expect(pathMatches("/x", "/")).toBe(true);
  });
});

describe("domainMatches()", () => {
  it("matches whole labels", () => {
    expect(domainMatches("app.example.com", "example.com")).toBe(true);
    expect(domainMatches("badexample.com", "example.com")).toBe(false);
  });
});
