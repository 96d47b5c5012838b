import { createTestSession } from "@cardea/testing";
import { type NextFetchEvent, NextRequest, NextResponse } from "next/server.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createAuth, type NextAuthConfig } from "./index.ts";

const origin = "https://app.example.com";
const event = {} as NextFetchEvent;
const OPEN = new Set(["/feed", "/photo/1"]);
const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined };

/** Sends requests through middleware whose `authorized` opens some pages. */
async function setUp(overrides: NextAuthConfig | object = {}) {
  const config: NextAuthConfig = {
    secret: "a secret of more than thirty-two bytes for tests",
    logger: silent,
    providers: [],
    trustHost: true,
    pages: { signIn: "/login" },
    callbacks: { authorized: ({ auth, request }) => auth !== null || OPEN.has(request.nextUrl.pathname) },
    ...overrides,
  };
  const { header: cookie } = await createTestSession(config, { url: origin, user: { id: "7", name: "Ann" } });
  const { auth } = createAuth(config);
  const request = (path: string, headers: Record<string, string> = {}, at = origin) =>
    new NextRequest(`${at}${path}`, { headers: { host: new URL(at).host, ...headers } });
  return { auth, cookie, request };
}

/** What the page receives of `Next-Url`; undefined if the request is not changed. */
const shownTo = ({ headers }: Response): boolean | undefined =>
  headers.get("x-middleware-override-headers")?.split(",").includes("next-url");

describe("pinTarget()", () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each(["/login", "/photo/1?size=2", "/api/auth/signin"])("rewrites %s to itself", async (path) => {
    const { auth, request } = await setUp();
    const answer = await auth(request(path), event);
    expect(answer.headers.get("x-middleware-rewrite")).toBe(`${origin}${path}`);
    expect(answer.headers.get("x-middleware-next")).toBe("1");
  });

  it.each(["http://127.0.0.1:3000", "http://[::1]:3000"])(
    "gives `authorized` a request of Next.js at %s",
    async (at) => {
      const { auth, request } = await setUp();
      expect((await auth(request("/photo/1", {}, at), event)).status).toBe(200);
      expect((await auth(request("/members", {}, at), event)).headers.get("location")).toBe(
        `${at}/login?callbackUrl=%2Fmembers`,
      );
    },
  );

  it("leaves what is denied, and requests that no one decides about", async () => {
    const guarded = await setUp();
    expect((await guarded.auth(guarded.request("/members"), event)).headers.has("x-middleware-rewrite")).toBe(false);
    const { auth, request } = await setUp({ callbacks: {} });
    const answer = await auth(request("/members", { "next-url": "/other" }), event);
    expect([...answer.headers]).toEqual([["x-middleware-next", "1"]]);
  });

  it("keeps the rewrite of a handler, but not an intercepted page", async () => {
    const { auth, request } = await setUp();
    const answer = await auth(() => NextResponse.rewrite(`${origin}/other`))(
      request("/login", { "next-url": "/members" }),
      event,
    );
    expect(answer.headers.get("x-middleware-rewrite")).toBe(`${origin}/other`);
    expect(shownTo(answer)).toBe(false);
  });

  it.each([
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000/login"],
    ["http://[::1]:3000", "http://[::1]:3000/login"],
    ["http://localhost:3000", "http://localhost:3000/login"],
    [undefined, "http://localhost:3000/login"],
  ])("names the address that the server listens on: %s", async (listening, expected) => {
    const { auth, request } = await setUp();
    vi.stubEnv("__NEXT_PRIVATE_ORIGIN", listening);
    const answer = await auth(request("/login", {}, "http://localhost:3000"), event);
    expect(answer.headers.get("x-middleware-rewrite")).toBe(expected);
  });

  it.each(["/members", "//feed", "/%66eed", "/feed/../members", "feed", "https://app.example.com/feed"])(
    "shows visitors no page inside %s",
    async (shown) => {
      const { auth, request } = await setUp();
      for (const path of ["/photo/1", "/login", "/api/auth/session"]) {
        const answer = await auth(request(path, { "next-url": shown, theirs: "1" }), event);
        expect([shownTo(answer), answer.headers.get("x-middleware-request-theirs")]).toEqual([false, "1"]);
        expect(answer.headers.has("x-middleware-request-next-url")).toBe(false);
      }
    },
  );

  it.each(["/feed", "/login"])("shows visitors a page inside %s, which they may open", async (shown) => {
    const { auth, request } = await setUp();
    expect(shownTo(await auth(request("/photo/1", { "next-url": shown }), event))).toBeUndefined();
  });

  it("asks `authorized` with the session", async () => {
    const { auth, request, cookie } = await setUp();
    expect(shownTo(await auth(request("/photo/1", { "next-url": "/members", cookie }), event))).not.toBe(false);
  });

  it("lets only users choose the page if a handler decides, which is not asked about two", async () => {
    const { auth, request, cookie } = await setUp({ callbacks: {} });
    const guard = auth(({ auth: session, nextUrl }) =>
      session !== null || OPEN.has(nextUrl.pathname) ? undefined : new Response(null, { status: 401 }),
    );
    const headers = { "next-url": "/members" };
    expect(shownTo(await guard(request("/photo/1", headers), event))).toBe(false);
    expect(shownTo(await guard(request("/photo/1", { ...headers, cookie }), event))).not.toBe(false);
  });

  it("removes the header from those that a handler passes on", async () => {
    const { auth, request } = await setUp();
    const pass = auth((received) => {
      const headers = new Headers(received.headers);
      headers.set("theirs", "1");
      return NextResponse.next({ request: { headers } });
    });
    const answer = await pass(request("/login", { "next-url": "/members" }), event);
    expect([shownTo(answer), answer.headers.get("x-middleware-request-theirs")]).toEqual([false, "1"]);
  });
});
