import { describe, expect, it } from "vitest";
import { createBrowser } from "../browser.ts";
import { cookies, OP, openEcho, query } from "./echo-site.ts";

describe("navigate()", () => {
  it.each([
    ["none", "/", "none"],
    ["https://app.example.com/x", "/", "same-origin"],
    ["https://www.example.com", "/", "same-site"],
    [OP, "/", "cross-site"],
    ["https://app.example.com", query(["to", `${OP}/?to=https://app.example.com/`]), "cross-site"],
  ])("tells Sec-Fetch-Site for %s to %s", async (initiator, to, expected) => {
    const visit = await openEcho().navigate(to, { initiator, follow: "all" });
    expect(await visit.json()).toMatchObject({
      "sec-fetch-site": expected,
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    });
  });

  it("sends Origin with posts, as far as the page's referrer policy lets it", async () => {
    const browser = openEcho();
    expect(await (await browser.navigate("/")).json()).toMatchObject({ origin: null });
    expect(await (await browser.navigate("/", { form: { a: "1" } })).json()).toMatchObject({
      method: "POST",
      origin: "https://app.example.com",
    });
    expect(await (await browser.navigate("/", { method: "POST", initiator: OP })).json()).toMatchObject({ origin: OP });
    await browser.navigate(query(["policy", "no-referrer"]));
    expect(await (await browser.navigate("/", { form: {} })).json()).toMatchObject({ origin: "null" });
    await browser.navigate(query(["policy", "same-origin"]));
    expect(await (await browser.navigate("/", { form: {} })).json()).toMatchObject({
      origin: "https://app.example.com",
    });
  });

  it("taints Origin when a repeated post is passed on elsewhere", async () => {
    const through = `${OP}${query(["status", "307"], ["to", "https://app.example.com/"])}`;
    const visit = await openEcho().navigate(query(["status", "307"], ["to", through]), {
      form: { a: "1" },
      follow: "all",
    });
    expect(visit.hops.map((hop) => hop.requestHeaders.get("origin"))).toEqual([
      "https://app.example.com",
      "https://app.example.com",
      "null",
    ]);
  });

  it("follows as far as it is told", async () => {
    const chain = query(["to", query(["to", `${OP}/`])]);
    const none = await openEcho().navigate(chain);
    expect([none.status, none.hops.length, none.redirectsTo]).toEqual([
      302,
      1,
      `https://app.example.com${query(["to", `${OP}/`])}`,
    ]);
    const near = await openEcho().navigate(chain, { follow: "same-origin" });
    expect([near.status, near.hops.length, near.redirectsTo]).toEqual([302, 2, `${OP}/`]);
    const all = await openEcho().navigate(chain, { follow: "all" });
    expect([all.status, all.hops.length, all.url, all.redirectsTo]).toEqual([200, 3, `${OP}/`, undefined]);
  });

  it.each([
    ["301", "GET", false],
    ["302", "GET", false],
    ["303", "GET", false],
    ["307", "POST", true],
    ["308", "POST", true],
  ])("after a %s continues with %s", async (status, method, keepsBody) => {
    const visit = await openEcho().navigate(query(["status", status], ["to", "/next"]), {
      form: { a: "1" },
      follow: "all",
    });
    expect(await visit.json()).toMatchObject({ method });
    expect(visit.hops[1]?.requestHeaders.has("content-type")).toBe(keepsBody);
  });

  it("gives up after 20 redirects", async () => {
    const browser = createBrowser(() => new Response(null, { status: 302, headers: { location: "/again" } }), {
      follow: "all",
    });
    await expect(browser.navigate("/")).rejects.toThrow("20 redirects");
  });

  it("stays on the page after 204", async () => {
    const browser = openEcho();
    await browser.navigate("/page");
    await browser.navigate("/x?status=204");
    expect(browser.url).toBe("https://app.example.com/page");
  });
});

describe("fetch()", () => {
  it("is a script's request from the current page", async () => {
    const browser = openEcho();
    await browser.navigate(query(["set", "strict=1; SameSite=Strict"], ["policy", "no-referrer"]));
    const visit = await browser.fetch("/api", {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    });
    expect(await visit.json()).toEqual({
      method: "POST",
      cookie: "strict=1",
      origin: "https://app.example.com",
      "sec-fetch-site": "same-origin",
      "sec-fetch-mode": "cors",
      "sec-fetch-dest": "empty",
    });
    expect(await (await browser.fetch("/api")).json()).toMatchObject({ origin: null });
  });

  it("carries and keeps only SameSite=None cookies across sites, and only with credentials", async () => {
    const browser = openEcho();
    await browser.navigate(cookies);
    const other = browser.tab();
    await other.navigate(OP);
    expect(await (await other.fetch("https://app.example.com/")).json()).toMatchObject({ cookie: null, origin: OP });
    const url = `https://app.example.com${query(["set", "new=1"])}`;
    expect(await (await other.fetch(url, { credentials: "include" })).json()).toMatchObject({ cookie: "none=1" });
    expect(browser.cookies.get("new")).toBeUndefined();
  });
});
