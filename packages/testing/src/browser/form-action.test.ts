import { describe, expect, it } from "vitest";
import { createBrowser } from "../browser.ts";
import { FormActionBlocked, readFormAction } from "./form-action.ts";

const page = new URL("https://app.example.com/auth/signin");

function allows(policy: string, url: string): boolean {
  return readFormAction(new Headers({ "content-security-policy": policy }), page)(new URL(url));
}

describe("readFormAction()", () => {
  it.each([
    ["default-src 'none'", "https://op.example.com/", true],
    ["form-action 'self'", "https://app.example.com/x", true],
    ["form-action 'self'", "https://op.example.com/", false],
    ["form-action 'none'", "https://app.example.com/", false],
    ["form-action", "https://app.example.com/", false],
    ["default-src 'none'; Form-Action 'self' https://op.example.com", "https://op.example.com/authorize", true],
    ["form-action https://op.example.com", "https://op.example.com:8443/", false],
    ["form-action https://op.example.com", "http://op.example.com/", false],
    ["form-action http://localhost:4000", "http://localhost:4000/auth", true],
    ["form-action op.example.com:*", "https://op.example.com:8443/", true],
    ["form-action *.example.com", "https://op.example.com/", true],
    ["form-action *.example.com", "https://example.com/", false],
    ["form-action https:", "https://anywhere.example/", true],
    ["form-action https:", "http://anywhere.example/", false],
    ["form-action *", "http://anywhere.example/", true],
    ["form-action *, form-action 'self'", "https://op.example.com/", false],
  ])("%s and %s: %s", (policy, url, expected) => {
    expect(allows(policy, url)).toBe(expected);
  });
});

describe("submit()", () => {
  function site(policy: string) {
    return createBrowser((request) => {
      if (request.method === "POST")
        return new Response(null, { status: 302, headers: { location: "https://op.example.com/" } });
      return new Response("<form method=post><button>Go</button></form>", {
        headers: { "content-security-policy": policy },
      });
    });
  }

  it("blocks a redirect that the page's policy does not allow, as Chromium does", async () => {
    const browser = site("form-action 'self'");
    await expect(browser.submit(await browser.navigate("/"))).rejects.toThrow(FormActionBlocked);
    const open = site("form-action 'self' https://op.example.com");
    expect((await open.submit(await open.navigate("/"))).redirectsTo).toBe("https://op.example.com/");
  });
});
