import { describe, expect, it } from "vitest";
import { cookies, OP, openEcho, query } from "./browser/echo-site.ts";
import { createBrowser } from "./browser.ts";
import { createClock } from "./clock.ts";

describe("createBrowser()", () => {
  it("sends back what it was given, to that host, path and scheme only", async () => {
    const browser = openEcho();
    await browser.navigate(
      query(["set", "a=1; Path=/auth"], ["set", "b=2; Secure; Domain=example.com"], ["set", "c=3; Path=/"]),
    );
    expect((await browser.navigate("/auth/x")).hops[0]?.requestHeaders.get("cookie")).toBe("a=1; b=2; c=3");
    expect(await (await browser.navigate("/authx")).json()).toMatchObject({ cookie: "b=2; c=3" });
    expect(await (await browser.navigate("https://www.example.com/")).json()).toMatchObject({ cookie: "b=2" });
    expect(await (await browser.navigate("http://app.example.com/")).json()).toMatchObject({ cookie: "c=3" });
  });

  it("lets no plain http page replace a Secure cookie", async () => {
    const browser = openEcho();
    await browser.navigate(query(["set", "a=1; Secure"]));
    await browser.navigate(`http://app.example.com${query(["set", "a=evil"])}`);
    expect(browser.cookies.get("a")?.value).toBe("1");
    expect(browser.cookies.refused).toEqual([
      {
        name: "a",
        url: expect.stringContaining("http://app.example.com"),
        reason: "http must not replace a Secure cookie",
      },
    ]);
  });

  it.each([
    ["GET", "none", "lax=1; strict=1; none=1"],
    ["GET", "https://www.example.com", "lax=1; strict=1; none=1"],
    ["GET", OP, "lax=1; none=1"],
    ["GET", "null", "lax=1; none=1"],
    ["POST", OP, "none=1"],
    ["POST", "https://www.example.com", "lax=1; strict=1; none=1"],
    ["GET", "http://app.example.com", "lax=1; none=1"],
  ])("%s from %s carries %s", async (method, initiator, expected) => {
    const browser = openEcho();
    await browser.navigate(cookies);
    expect(await (await browser.navigate("/", { method, initiator })).json()).toMatchObject({
      method,
      cookie: expected,
    });
  });

  it("carries Lax cookies after a cross-site POST was redirected to a GET", async () => {
    const browser = openEcho({ follow: "same-origin" });
    await browser.navigate(cookies);
    const visit = await browser.navigate(query(["to", "/done"], ["status", "303"]), { method: "POST", initiator: OP });
    expect(visit.hops.map((hop) => [hop.method, hop.requestHeaders.get("cookie")])).toEqual([
      ["POST", "none=1"],
      ["GET", "lax=1; none=1"],
    ]);
  });

  it("drops cookies by its own clock", async () => {
    const clock = createClock();
    const browser = openEcho({ now: clock.now });
    await browser.navigate(query(["set", "a=1; Max-Age=60"], ["set", "b=1"]));
    clock.advance({ seconds: 59 });
    expect(browser.cookies.get("a")).toBeDefined();
    clock.advance({ seconds: 1 });
    expect(browser.cookies.list().map(({ name }) => name)).toEqual(["b"]);
    await browser.navigate(query(["set", "b=; Max-Age=0"]));
    expect(browser.cookies.list()).toEqual([]);
  });

  it("keeps 180 cookies of a domain, then drops those unused longest", async () => {
    const browser = openEcho();
    for (let i = 0; i < 180; i++) browser.cookies.set(`c${i}=1; Path=/`);
    browser.cookies.set("elsewhere=1", OP);
    expect(browser.cookies.list()).toHaveLength(181);
    browser.cookies.set("last=1");
    expect(browser.cookies.list()).toHaveLength(151);
    expect(browser.cookies.get("c0")).toBeUndefined();
    expect(browser.cookies.get("last")).toBeDefined();
  });

  it("goes back to a snapshot", async () => {
    const browser = openEcho();
    browser.cookies.set("a=1");
    const before = browser.cookies.snapshot();
    browser.cookies.set("a=2");
    expect(browser.cookies.delete("a")).toBe(1);
    browser.cookies.restore(before);
    expect(browser.cookies.get("a")?.value).toBe("1");
    browser.cookies.clear();
    expect(browser.cookies.list()).toEqual([]);
  });

  it("shares cookies, not pages, between tabs", async () => {
    const browser = openEcho();
    const other = browser.tab();
    await browser.navigate(`/first${query(["set", "a=1; Path=/"]).slice(1)}`);
    expect(other.url).toBe("https://app.example.com/");
    expect(await (await other.navigate("/")).json()).toMatchObject({ cookie: "a=1" });
    expect(browser.url).toContain("/first");
  });

  it("throws where no one answers", async () => {
    await expect(openEcho().navigate("https://unknown.example/")).rejects.toThrow("routes");
  });
});

describe("submit()", () => {
  const html = `<form action="/auth/signin/a" method="post"><input type=hidden name=csrfToken value=t><button>Sign in with A</button></form>
    <form action="/auth/signin/b" method="post"><input name=csrfToken value=t><button name=via value=b>Sign in with B</button></form>`;

  function site(headers: Record<string, string> = {}) {
    const posts: [string, string, string | null][] = [];
    const browser = createBrowser(async (request) => {
      if (request.method === "GET") return new Response(html, { headers });
      posts.push([new URL(request.url).pathname, await request.text(), request.headers.get("origin")]);
      return new Response();
    });
    return { browser, posts };
  }

  it("sends the form whose button is named, with its hidden fields", async () => {
    const { browser, posts } = site();
    const page = await browser.navigate("/auth/signin");
    await browser.submit(page, { button: "Sign in with B", fields: { csrfToken: "other", extra: "1" } });
    expect(posts).toEqual([["/auth/signin/b", "csrfToken=other&extra=1&via=b", "https://app.example.com"]]);
  });

  it("sends the form whose action is named, and takes HTML as text", async () => {
    const { browser, posts } = site();
    await browser.submit(html, { action: "/auth/signin/a", fields: { csrfToken: null } });
    expect(posts).toEqual([["/auth/signin/a", "", "https://app.example.com"]]);
  });

  it("hides the origin where the page's referrer policy does", async () => {
    const { browser, posts } = site({ "referrer-policy": "no-referrer" });
    await browser.submit(await browser.navigate("/"), { action: "/auth/signin/a" });
    expect(posts[0]?.[2]).toBe("null");
  });

  it("says which forms there are when none or several fit", async () => {
    const { browser } = site();
    const page = await browser.navigate("/");
    await expect(browser.submit(page)).rejects.toThrow("Sign in with A");
    await expect(browser.submit(page, { button: "Sign in with C" })).rejects.toThrow('"Sign in with C"');
    await expect(browser.submit("<p>")).rejects.toThrow("no form");
  });

  it("puts the fields of a GET form into the query", async () => {
    const visit = await openEcho().submit('<form action="/search?old=1"><input name=q value="a b"></form>');
    expect(visit.url).toBe("https://app.example.com/search?q=a+b");
  });

  it("sends multipart forms as such", async () => {
    const visit = await openEcho().submit(
      '<form action="/" method=post enctype="multipart/form-data"><input name=q value=1></form>',
    );
    expect(visit.hops[0]?.requestHeaders.get("content-type")).toMatch(/^multipart\/form-data; boundary=/);
  });
});
