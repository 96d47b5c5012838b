import { describe, expect, it } from "vitest";
import { isProxiedOrigin, isProxyOriginEntry } from "./proxy-origin.ts";

describe("isProxiedOrigin()", () => {
  const allowed = ["https://app.example.com", "https://*.previews.example.com"];

  it.each([
    "http://localhost:3000",
    "http://app.localhost",
    "http://127.0.0.1:4000",
    "http://127.1.2.3",
    "http://[::1]",
    "https://localhost",
  ])("1. allows loopback only where it is named, with its port: %s", (origin) => {
    expect(isProxiedOrigin(origin, allowed)).toBe(false);
    expect(isProxiedOrigin(origin, [...allowed, "http://localhost:1", "http://127.0.0.1:1"])).toBe(false);
    expect(isProxiedOrigin(origin, [origin])).toBe(true);
  });

  it("1. allows exactly the named origin", () => {
    expect(isProxiedOrigin("https://app.example.com", allowed)).toBe(true);
  });

  it.each([
    "http://app.example.com",
    "https://app.example.com:8443",
    "https://app.example.com.evil.example",
    "https://evil.example",
    "https://localhost.evil.example",
    "not an origin",
  ])("1. refuses another: %s", (origin) => {
    expect(isProxiedOrigin(origin, allowed)).toBe(false);
  });

  it("2. allows one label in place of the star", () => {
    expect(isProxiedOrigin("https://pr-7.previews.example.com", allowed)).toBe(true);
  });

  it.each([
    "https://previews.example.com",
    "https://a.b.previews.example.com",
    "https://evilpreviews.example.com",
    "http://pr-7.previews.example.com",
    "https://pr-7.previews.example.com:444",
  ])("2. refuses what the star does not stand for: %s", (origin) => {
    expect(isProxiedOrigin(origin, allowed)).toBe(false);
  });
});

describe("isProxyOriginEntry()", () => {
  it.each(["https://app.example.com", "http://app.internal:8080", "https://*.previews.example.com"])(
    "accepts %s",
    (entry) => {
      expect(isProxyOriginEntry(entry)).toBe(true);
    },
  );

  it.each([
    "https://*.com",
    "https://*",
    "*",
    "https://a.*.example.com",
    "https://app.example.com/",
    "https://*.*.example.com",
    "app",
    "ftp://app.example.com",
    "javascript:alert(1)",
    "https://app.example.com\n",
  ])("refuses %s", (entry) => {
    expect(isProxyOriginEntry(entry)).toBe(false);
  });
});
