/** Behind a proxy that does not pass on the host or the scheme: what `auth()` hands out is public, and rewrites stay on the server. */
import { createBrowser } from "@cardea/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NEXT_OPEN, type RunningNext, startNextApp } from "./next-start.ts";
import { sendRaw } from "./send-raw.ts";

const AUTH_SECRET = "a secret of more than thirty-two bytes for tests";

describe.each([
  ["AUTH_URL", { AUTH_URL: "https://app.example.com" }, {}],
  [
    "headers of the proxy",
    { AUTH_TRUST_HOST: "true" },
    { host: "internal:8080", "x-forwarded-host": "App.Example.com, inner:1", "x-forwarded-proto": "https" },
  ],
])("auth() of Next.js behind a proxy: origin by %s", (_by, env, forwarded) => {
  let app: RunningNext;
  beforeAll(async () => {
    app = await startNextApp({ AUTH_SECRET, ...env }, `${NEXT_OPEN}/proxied`);
  });
  afterAll(() => app.end());
  const send = (path: string, headers: Record<string, string> = {}) =>
    sendRaw(app.url, `/base${path}`, { ...forwarded, ...headers });
  const shows = async (path: string, marker: string) => {
    const { status, text } = await send(path);
    expect([path, status, text.replaceAll("&quot;", '"').includes(marker)]).toEqual([path, 200, true]);
  };

  it("is that of the request in middleware, for `authorized`, in route handlers and for configuration functions", async () => {
    for (const path of ["/seen", "/seen?authorized=1", "/api/seen", "/lazy"]) {
      const { text } = await send(path, { cookie: "a=1" });
      const seen = JSON.parse(text);
      const url = `https://app.example.com/base${path}`;
      // Next.js removes `basePath` from the paths of route handlers.
      const expected = path === "/api/seen" ? url.replace("/base", "") : url;
      expect([seen.url, seen.href, seen.host]).toEqual([expected, expected, "app.example.com"]);
    }
  });

  it("leaves cookies, body and signal to handlers", async () => {
    const browser = createBrowser(fetch, { origin: app.url });
    const answer = await browser.fetch("/base/api/seen", {
      method: "POST",
      body: "the body",
      headers: { cookie: "a=1" },
    });
    expect(await answer.json()).toMatchObject({ text: "the body", aborted: false });
    expect(JSON.parse((await send("/api/seen", { cookie: "a=1" })).text).cookie).toBe("1");
  });

  it("is kept by redirects, of the application and of next-intl", async () => {
    expect((await send("/leave")).headers.location).toBe("https://app.example.com/base/login");
    const { status, headers } = await send("/en/inner");
    expect(status).toBe(307);
    expect(new URL(headers.location ?? "", "https://app.example.com/").href).toBe("https://app.example.com/base/inner");
  });

  it("does not make a rewrite a request to another server", async () => {
    await shows("/rewritten", 'INNER:{"locale":"en"}');
    await shows("/tenant", 'TENANT:{"name":"app"}');
    await shows("", 'HOME:{"locale":"en"}');
    await shows("/de/inner", 'INNER:{"locale":"de"}');
    await shows("/inner", 'INNER:{"locale":"en"}');
  });
});

describe("tenants on subdomains", () => {
  let app: RunningNext;
  beforeAll(async () => {
    app = await startNextApp({ AUTH_SECRET, AUTH_TRUST_HOST: "true" }, `${NEXT_OPEN}/proxied`);
  });
  afterAll(() => app.end());

  it.each([
    ["acme.example.com", "acme"],
    ["OTHER.example.com:8443", "other"],
    ["xn--mnchen-3ya.example.com", "xn--mnchen-3ya"],
  ])("are found in the request of %s, and their pages are shown", async (host, name) => {
    const { status, text } = await sendRaw(app.url, "/base/tenant", { host });
    expect([status, text.replaceAll("&quot;", '"').includes(`TENANT:{"name":"${name}"}`)]).toEqual([200, true]);
  });

  it.each(["a b", "a/b", "[::1", "a@b", ", b", ""])("a malformed X-Forwarded-Host (%s) is no origin", async (host) => {
    const { status, text } = await sendRaw(app.url, "/base/seen", { "x-forwarded-host": host });
    expect([status, text.includes(app.url.replace("http://localhost", "")), text.includes("b/")]).toEqual([
      200,
      true,
      false,
    ]);
  });
});
