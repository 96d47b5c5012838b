import { Auth, createAuth } from "@cardea/core";
import type { AuthConfig } from "@cardea/core/types";
import { createBrowser } from "@cardea/testing";
import { describe, expect, it } from "vitest";

const ORIGIN = "https://example.com";
const said: string[] = [];
const config: AuthConfig = {
  secret: "a secret of more than thirty-two bytes for tests",
  trustHost: true,
  strippedPrefix: "/shop",
  logger: { error: () => undefined, warn: (text) => void said.push(text), debug: () => undefined },
  providers: [
    {
      id: "door",
      name: "Door",
      type: "credentials",
      credentials: { name: {} },
      authorize: () => ({ id: "7", name: "Ann" }),
    },
  ],
  callbacks: { authorized: ({ auth }) => auth !== null },
};

/** What a proxy does to requests below /shop; others do not reach the application. */
function strip(request: Request): Request {
  const url = new URL(request.url);
  expect(`${url.pathname}/`).toMatch(/^\/shop\//);
  url.pathname = url.pathname.slice("/shop".length) || "/";
  return new Request(url, request);
}

describe("strippedPrefix", () => {
  it("signs in and out below a prefix that a proxy removes, and guards pages", async () => {
    const { auth, handlers } = createAuth(config);
    const guard = auth(() => new Response("in"));
    const app = (request: Request) =>
      new URL(request.url).pathname.startsWith("/auth/")
        ? handlers[request.method === "POST" ? "POST" : "GET"](request)
        : guard(request);
    const browser = createBrowser((request) => app(strip(request)), { origin: ORIGIN });
    const asked = await browser.navigate("/shop/members?page=2", { follow: "none" });
    expect(asked.redirectsTo).toBe(`${ORIGIN}/shop/auth/signin?callbackUrl=%2Fshop%2Fmembers%3Fpage%3D2`);
    const page = await browser.navigate(asked.redirectsTo ?? "");
    const done = await browser.submit(page, { fields: { name: "ann" }, follow: "none" });
    expect(done.redirectsTo).toBe(`${ORIGIN}/shop/members?page=2`);
    expect(await (await browser.navigate("/shop/members")).text()).toBe("in");
    expect(await (await browser.fetch("/shop/auth/session")).json()).toMatchObject({ user: { name: "Ann" } });
    const out = await browser.submit(await browser.navigate("/shop/auth/signout"), { follow: "none" });
    expect(new URL(out.redirectsTo ?? "").pathname).not.toMatch(/^\/auth/);
    expect(await (await browser.fetch("/shop/auth/session")).json()).toBeNull();
  });

  it("is part of the callback URLs, once, whether or not `basePath` or AUTH_URL has it", async () => {
    for (const [basePath, path] of [
      [undefined, "/shop/auth"],
      ["/api/auth", "/shop/api/auth"],
      ["/shop/api/auth", "/shop/api/auth"],
    ]) {
      const received = `${ORIGIN}${path?.slice("/shop".length)}/providers`;
      const answer = await Auth(new Request(received), { ...config, basePath });
      expect(await answer.json()).toMatchObject([{ callbackUrl: `${ORIGIN}${path}/callback/door` }]);
    }
  });

  it("opens the application's own sign-in page, as browsers see it", async () => {
    const { auth } = createAuth({ ...config, pages: { signIn: "/shop/login" } });
    const ask = (path: string) => auth(() => new Response("in"))(new Request(`${ORIGIN}${path}`));
    expect((await ask("/login")).status).toBe(200);
    expect((await ask("/members")).headers.get("location")).toMatch(/^https:\/\/example\.com\/shop\/login\?/);
    expect((await ask("/shop/login")).status).toBe(302);
  });

  it.each(["shop", "/shop/*", "/../shop", "https://example.com/shop"])("refuses %j", (strippedPrefix) => {
    expect(() => createAuth({ ...config, strippedPrefix })).toThrow(/`strippedPrefix`/);
  });

  it("is named in the log where requests arrive without the beginning of `basePath`", async () => {
    const { strippedPrefix: _, ...rest } = config;
    const ask = async (path: string, basePath: string) => {
      said.length = 0;
      expect(
        (await Auth(new Request(`${ORIGIN}${path}`), { ...rest, basePath, secret: `${path} ${config.secret}` })).status,
      ).toBe(404);
      return said.join();
    };
    expect(await ask("/auth/signin", "/shop/auth")).toContain(
      "If a proxy removes /shop from paths, set `strippedPrefix`",
    );
    expect(await ask("/signin", "/shop/auth")).not.toContain("strippedPrefix");
    expect(await ask("/api/auth/callback/op", "/auth")).toMatch(
      /^base-path: .* below \/auth, .* \/api\/auth\/callback /,
    );
    for (const path of [
      "/auth/nope",
      "/auth/x/signin",
      "/auth",
      "/%61uth/signin",
      "/AUTH/signin",
      "/other",
      "/",
      "/x/signin/a/b",
    ])
      expect(await ask(path, "/auth")).toBe("");
    expect(await ask("/x/signin", "/")).toBe("");
  });
});
