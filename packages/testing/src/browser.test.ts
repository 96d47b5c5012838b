import { describe, expect, it } from "vitest";
import { createBrowser } from "./browser.ts";
import { createClock } from "./clock.ts";

const OP = "https://op.example.org";

/** Answers with what it was sent, and does what the query says: `set` cookies, `to` redirect, `status`. */
function echo(request: Request): Response {
  const url = new URL(request.url);
  const headers = new Headers({ "referrer-policy": url.searchParams.get("policy") ?? "" });
  for (const line of url.searchParams.getAll("set")) headers.append("set-cookie", line);
  const to = url.searchParams.get("to");
  if (to !== null) headers.set("location", to);
  const status = Number(url.searchParams.get("status") ?? (to === null ? 200 : 302));
  const sent = ["cookie", "origin", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"].map((name) => [
    name,
    request.headers.get(name),
  ]);
  return new Response(status === 204 ? null : JSON.stringify({ method: request.method, ...Object.fromEntries(sent) }), {
    status,
    headers,
  });
}

function open(options: Parameters<typeof createBrowser>[1] = {}) {
  return createBrowser(echo, {
    routes: { [OP]: echo, "http://app.example.com": echo, "https://www.example.com": echo },
    ...options,
  });
}

function query(...pairs: [string, string][]): string {
  return `/?${new URLSearchParams(pairs)}`;
}

const cookies = query(
  ["set", "lax=1; Path=/"],
  ["set", "strict=1; SameSite=Strict"],
  ["set", "none=1; SameSite=None; Secure"],
);

describe("createBrowser()", () => {
  it("sends back what it was given, to that host, path and scheme only", async () => {
    const browser = open();
    await browser.navigate(
      query(["set", "a=1; Path=/auth"], ["set", "b=2; Secure; Domain=example.com"], ["set", "c=3; Path=/"]),
    );
    expect((await browser.navigate("/auth/x")).hops[0]?.requestHeaders.get("cookie")).toBe("a=1; b=2; c=3");
    expect(await (await browser.navigate("/authx")).json()).toMatchObject({ cookie: "b=2; c=3" });
    expect(await (await browser.navigate("https://www.example.com/")).json()).toMatchObject({ cookie: "b=2" });
    expect(await (await browser.navigate("http://app.example.com/")).json()).toMatchObject({ cookie: "c=3" });
  });

  it("lets no plain http page replace a Secure cookie", async () => {
    const browser = open();
    await browser.navigate(query(["set", "a=1; Secure"]));
    await browser.navigate(`http://app.example.com${query(["set", "a=evil"])}`);
    expect(browser.cookies.get("a")?.value).toBe("1");
    expect(browser.cookies.refused).toEqual([
      {
        name: "a",
        url: expect.stringContaining("http://app.example.com"),
        reason: "plain http may not replace a Secure cookie",
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
    const browser = open();
    await browser.navigate(cookies);
    expect(await (await browser.navigate("/", { method, initiator })).json()).toMatchObject({
      method,
      cookie: expected,
    });
  });

  it("carries Lax cookies after a cross-site POST was redirected to a GET", async () => {
    const browser = open({ follow: "same-origin" });
    await browser.navigate(cookies);
    const visit = await browser.navigate(query(["to", "/done"], ["status", "303"]), { method: "POST", initiator: OP });
    expect(visit.hops.map((hop) => [hop.method, hop.requestHeaders.get("cookie")])).toEqual([
      ["POST", "none=1"],
      ["GET", "lax=1; none=1"],
    ]);
  });

  it("drops cookies by its own clock", async () => {
    const clock = createClock();
    const browser = open({ now: clock.now });
    await browser.navigate(query(["set", "a=1; Max-Age=60"], ["set", "b=1"]));
    clock.advance({ seconds: 59 });
    expect(browser.cookies.get("a")).toBeDefined();
    clock.advance({ seconds: 1 });
    expect(browser.cookies.list().map(({ name }) => name)).toEqual(["b"]);
    await browser.navigate(query(["set", "b=; Max-Age=0"]));
    expect(browser.cookies.list()).toEqual([]);
  });

  it("keeps 180 cookies of a domain, then drops those unused longest", async () => {
    const browser = open();
    for (let i = 0; i < 180; i++) browser.cookies.set(`c${i}=1; Path=/`);
    browser.cookies.set("elsewhere=1", OP);
    expect(browser.cookies.list()).toHaveLength(181);
    browser.cookies.set("last=1");
    expect(browser.cookies.list()).toHaveLength(151);
    expect(browser.cookies.get("c0")).toBeUndefined();
    expect(browser.cookies.get("last")).toBeDefined();
  });

  it("goes back to a snapshot", async () => {
    const browser = open();
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
    const browser = open();
    const other = browser.tab();
    await browser.navigate(`/first${query(["set", "a=1; Path=/"]).slice(1)}`);
    expect(other.url).toBe("https://app.example.com/");
    expect(await (await other.navigate("/")).json()).toMatchObject({ cookie: "a=1" });
    expect(browser.url).toContain("/first");
  });

  it("throws where nobody answers", async () => {
    await expect(open().navigate("https://unknown.example/")).rejects.toThrow("routes");
  });
});

describe("navigate()", () => {
  it.each([
    ["none", "/", "none"],
    ["https://app.example.com/x", "/", "same-origin"],
    ["https://www.example.com", "/", "same-site"],
    [OP, "/", "cross-site"],
    ["https://app.example.com", query(["to", `${OP}/?to=https://app.example.com/`]), "cross-site"],
  ])("tells Sec-Fetch-Site for %s to %s", async (initiator, to, expected) => {
    const visit = await open().navigate(to, { initiator, follow: "all" });
    expect(await visit.json()).toMatchObject({
      "sec-fetch-site": expected,
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    });
  });

  it("sends Origin with posts, as far as the page's referrer policy lets it", async () => {
    const browser = open();
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
    const visit = await open().navigate(query(["status", "307"], ["to", through]), { form: { a: "1" }, follow: "all" });
    expect(visit.hops.map((hop) => hop.requestHeaders.get("origin"))).toEqual([
      "https://app.example.com",
      "https://app.example.com",
      "null",
    ]);
  });

  it("follows as far as it is told", async () => {
    const chain = query(["to", query(["to", `${OP}/`])]);
    const none = await open().navigate(chain);
    expect([none.status, none.hops.length, none.redirectsTo]).toEqual([
      302,
      1,
      `https://app.example.com${query(["to", `${OP}/`])}`,
    ]);
    const near = await open().navigate(chain, { follow: "same-origin" });
    expect([near.status, near.hops.length, near.redirectsTo]).toEqual([302, 2, `${OP}/`]);
    const all = await open().navigate(chain, { follow: "all" });
    expect([all.status, all.hops.length, all.url, all.redirectsTo]).toEqual([200, 3, `${OP}/`, undefined]);
  });

  it.each([
    ["301", "GET", false],
    ["302", "GET", false],
    ["303", "GET", false],
    ["307", "POST", true],
    ["308", "POST", true],
  ])("after a %s continues with %s", async (status, method, keepsBody) => {
    const visit = await open().navigate(query(["status", status], ["to", "/next"]), {
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
    const browser = open();
    await browser.navigate("/page");
    await browser.navigate("/x?status=204");
    expect(browser.url).toBe("https://app.example.com/page");
  });
});

describe("fetch()", () => {
  it("is a script's request from the current page", async () => {
    const browser = open();
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
    const browser = open();
    await browser.navigate(cookies);
    const other = browser.tab();
    await other.navigate(OP);
    expect(await (await other.fetch("https://app.example.com/")).json()).toMatchObject({ cookie: null, origin: OP });
    const url = `https://app.example.com${query(["set", "new=1"])}`;
    expect(await (await other.fetch(url, { credentials: "include" })).json()).toMatchObject({ cookie: "none=1" });
    expect(browser.cookies.get("new")).toBeUndefined();
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
    const visit = await open().submit('<form action="/search?old=1"><input name=q value="a b"></form>');
    expect(visit.url).toBe("https://app.example.com/search?q=a+b");
  });

  it("sends multipart forms as such", async () => {
    const visit = await open().submit(
      '<form action="/" method=post enctype="multipart/form-data"><input name=q value=1></form>',
    );
    expect(visit.hops[0]?.requestHeaders.get("content-type")).toMatch(/^multipart\/form-data; boundary=/);
  });
});
