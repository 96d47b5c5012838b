import { describe, expect, it } from "vitest";
import { BASE, ORIGIN, setUp } from "../../test/harness/harness.ts";

describe("error()", () => {
  it.each([
    ["?error=Configuration", 500],
    ["?error=AccessDenied", 403],
    ["?error=Verification", 403],
    ["?error=Signin", 200],
    ["?error=configuration", 200],
    ["?error=__proto__", 200],
    ["?error=", 200],
    ["", 200],
  ])("answers %j with %i (contract 3)", async (query, status) => {
    expect((await setUp().browser.navigate(`${BASE}/error${query}`)).status).toBe(status);
  });

  it("shows the built-in page where the application's own is this very address", async () => {
    const c = setUp({ config: { pages: { error: `${BASE}/error` } } });
    expect((await c.browser.navigate(`${BASE}/error?error=AccessDenied`)).status).toBe(403);
  });

  it("leads to the application's own page otherwise, on another origin too", async () => {
    const own = "https://status.example.org/auth?from=app";
    const c = setUp({ config: { pages: { error: own } }, alsoTo: ["https://status.example.org"] });
    const answer = await c.browser.navigate(`${ORIGIN}${BASE}/error?error=AccessDenied`);
    expect(answer.redirectsTo).toBe(`${own}&error=AccessDenied`);
  });

  it("shows a page for an address that has none to browsers, below the base path, and never the address", async () => {
    const { browser } = setUp();
    const page = await browser.navigate(`${BASE}/no-such-page<x>?error=AccessDenied`);
    const text = await page.text();
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(text).toContain("<h1>Page not found</h1>");
    expect(text).not.toMatch(/no-such-page|Access denied/);
    const program = await browser.fetch(`${BASE}/no-such-page`);
    expect([program.status, await program.text()]).toEqual([404, "Not found."]);
  });
});
