import { describe, expect, it } from "vitest";
import { partsOf } from "./request-parts.ts";

describe("partsOf()", () => {
  it("leaves a Request as it is, and one with headers of another class", () => {
    const request = new Request("https://app.example.com/members");
    expect(partsOf(request)).toBe(request);
    const other = { url: "https://app.example.com/", headers: Object.create(new Headers()) };
    expect(partsOf(other)).toBe(other);
  });

  it("reads a request of Node.js or Express, with every line of a header", () => {
    const headers = {
      host: "app.example.com",
      cookie: "a=1",
      accept: ["x", "y"],
      ":path": "/",
      get: "text",
      no: undefined,
    };
    const parts = partsOf({ protocol: "https", url: "/", originalUrl: "/members?a=1", headers });
    expect(parts.url).toBe("https://app.example.com/members?a=1");
    expect(Object.fromEntries(parts.headers)).toEqual({
      ...{ host: "app.example.com", cookie: "a=1", accept: "x, y", get: "text" },
    });
  });

  it("reads the host of HTTP/2 from `:authority`, and joins several hosts", () => {
    const headers = {
      ":method": "GET",
      ":path": "/",
      ":scheme": "https",
      ":authority": "app.example.com",
      cookie: "a=1",
    };
    for (const given of [headers, { ...headers, host: "app.example.com" }]) {
      const parts = partsOf({ protocol: "https", url: "/members", headers: given });
      expect(parts.url).toBe("https://app.example.com/members");
      expect(Object.fromEntries(parts.headers)).toEqual({ host: "app.example.com", cookie: "a=1" });
    }
    const rawHeaders = ["Host", "app.example.com", "Host", "other.example.com"];
    for (const request of [
      { headers: { ...headers, host: "other.example.com" } },
      { headers: { host: "app.example.com" }, rawHeaders },
    ]) {
      const parts = partsOf({ url: "/members", ...request });
      expect([parts.url, parts.headers.get("host")]).toEqual([
        "http://localhost/members",
        "app.example.com, other.example.com",
      ]);
    }
  });

  it.each([
    ["a whole URL as its target", { url: "http://evil.example.com/x" }, "http://app.example.com/"],
    ["a target that continues the host", { url: "@evil.example.com/" }, "http://app.example.com/"],
    ["an asterisk", { url: "*" }, "http://app.example.com/"],
    ["two slashes", { url: "//evil.example.com/" }, "http://app.example.com//evil.example.com/"],
    ["another protocol", { protocol: "javascript", url: "/" }, "http://app.example.com/"],
    ["a host with a path", { headers: { host: "a.example.com/evil?" } }, "http://a.example.com/"],
    ["a host that is not one", { headers: { host: "a b" } }, "http://localhost/"],
    ["no host", { headers: {} }, "http://localhost/"],
  ])("has an origin and a path for %s", (_what, request, url) => {
    expect(partsOf({ headers: { host: "app.example.com" }, ...request }).url).toBe(url);
  });
});
