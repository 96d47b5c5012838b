import { createTestSession } from "@cardea/testing";
import { type NextFetchEvent, NextRequest, NextResponse } from "next/server.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createAuth, type NextAuthConfig, type NextAuthRequest } from "./index.ts";

const event = {} as NextFetchEvent;
const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined };
const config: NextAuthConfig = {
  secret: "a secret of more than thirty-two bytes for tests",
  logger: silent,
  providers: [],
  trustHost: true,
};

/** What a Next.js server behind a proxy creates: its own address, and the headers of the proxy. */
const INNER = "http://localhost:3000";
const PROXY = { host: "internal:3000", "x-forwarded-host": "app.example.com", "x-forwarded-proto": "https" };
const PUBLIC = "https://app.example.com";

type Init = ConstructorParameters<typeof NextRequest>[1];
const received = (path: string, init: Init = {}) =>
  new NextRequest(`${INNER}${path}`, { ...init, headers: { ...PROXY, ...Object(init.headers) } });

/** What a handler received. */
async function handed(request: NextRequest, overrides: NextAuthConfig | object = {}): Promise<NextAuthRequest> {
  const requests: NextAuthRequest[] = [];
  await createAuth({ ...config, ...overrides }).auth((one) => void requests.push(one))(request, event);
  const [first] = requests;
  if (first === undefined) throw new Error("The handler was not called.");
  return first;
}

describe("publicRequest()", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("has the origin of our links in every part of the URL", async () => {
    const { url, nextUrl } = await handed(received("/a%20b?c=d%2F&e"));
    expect([url, nextUrl.href]).toEqual([`${PUBLIC}/a%20b?c=d%2F&e`, `${PUBLIC}/a%20b?c=d%2F&e`]);
    expect([nextUrl.protocol, nextUrl.host, nextUrl.port, nextUrl.origin]).toEqual([
      "https:",
      "app.example.com",
      "",
      PUBLIC,
    ]);
    expect(nextUrl.clone().origin).toBe(PUBLIC);
  });

  it.each([
    ["https://app.example.com", PUBLIC],
    ["https://app.example.com:8443/api/auth", "https://app.example.com:8443"],
    ["http://[2001:db8::1]:8080", "http://[2001:db8::1]:8080"],
  ])("has the origin of AUTH_URL=%s, whatever the proxy sends", async (url, origin) => {
    vi.stubEnv("AUTH_URL", url);
    const request = received("/x", { headers: { "x-forwarded-host": "other.example" } });
    expect((await handed(request, { basePath: "/api/auth" })).nextUrl.origin).toBe(origin);
  });

  it.each([
    ["App.EXAMPLE.com:443, inner:1", "HTTPS, http", PUBLIC],
    ["[2001:DB8::1]:8443", "https", "https://[2001:db8::1]:8443"],
    ["app.example.com.", "https", "https://app.example.com."],
  ])("has the first value of X-Forwarded-Host: %s", async (host, proto, origin) => {
    const request = received("/x", { headers: { "x-forwarded-host": host, "x-forwarded-proto": proto } });
    expect((await handed(request)).nextUrl.origin).toBe(origin);
  });

  it.each([
    ["a malformed host", config, { "x-forwarded-host": "a@b" }],
    ["an untrusted host", { ...config, trustHost: false }, {}],
  ])("stays as received with %s", async (_name, given, headers) => {
    const request = received("/x", { headers });
    expect(await handed(request, given)).toBe(request);
  });

  it("is the request of Next.js itself if that has the public origin", async () => {
    const request = new NextRequest(`${PUBLIC}/x`, { headers: PROXY });
    expect(await handed(request)).toBe(request);
  });

  it("keeps basePath, locale and trailing slash", async () => {
    const nextConfig = { basePath: "/base", trailingSlash: true, i18n: { locales: ["en", "de"], defaultLocale: "en" } };
    const { nextUrl } = await handed(received("/base/de/members/", { nextConfig }));
    expect([nextUrl.basePath, nextUrl.locale, nextUrl.defaultLocale]).toEqual(["/base", "de", "en"]);
    expect([nextUrl.pathname, nextUrl.href]).toEqual(["/members/", `${PUBLIC}/base/de/members/`]);
    nextUrl.pathname = "/other";
    expect(nextUrl.href).toBe(`${PUBLIC}/base/de/other/`);
  });

  it("keeps method, headers, cookies, body and what the application has added", async () => {
    const request = received("/x", { method: "POST", body: "the body", headers: { cookie: "a=1; b=2", "x-own": "1" } });
    const shown = await handed(Object.assign(request, { tenant: "acme" }));
    expect([shown.method, shown.headers.get("x-own"), shown.cookies.get("b")?.value]).toEqual(["POST", "1", "2"]);
    expect(shown).toMatchObject({ tenant: "acme", auth: null });
    expect(await shown.text()).toBe("the body");
  });

  it("is aborted with the request of Next.js", async () => {
    const controller = new AbortController();
    const { signal } = await handed(received("/x", { signal: controller.signal }));
    expect(signal.aborted).toBe(false);
    controller.abort();
    expect(signal.aborted).toBe(true);
  });

  it("has the renewed session, and so has the request of Next.js", async () => {
    const own = { ...config, session: { updateAge: 0 } };
    const { header: cookie } = await createTestSession(own, { url: PUBLIC, user: { id: "7", name: "Ann" } });
    const request = received("/x", { headers: { cookie } });
    const shown = await handed(request, own);
    expect(shown).toMatchObject({ auth: { user: { name: "Ann" } } });
    for (const one of [shown, request]) expect(one.headers.get("cookie")).not.toBe(cookie);
    expect(shown.headers.get("cookie")).toBe(request.headers.get("cookie"));
  });

  it("is what `authorized` receives, with the body", async () => {
    const bodies: string[] = [];
    const authorized = async ({ request }: { request: NextRequest }) => {
      bodies.push(request.nextUrl.href, await request.text());
      return true;
    };
    await createAuth({ ...config, callbacks: { authorized } }).auth(
      received("/x", { method: "POST", body: "the body" }),
      event,
    );
    expect(bodies).toEqual([`${PUBLIC}/x`, "the body"]);
  });

  it("is what a configuration function receives, before there is a configuration", async () => {
    vi.stubEnv("NODE_ENV", "production");
    const urls: (string | undefined)[] = [];
    const { auth, handlers } = createAuth((request) => {
      urls.push(request?.nextUrl.href);
      return config;
    });
    await auth(received("/members"), event);
    await handlers.GET(received("/api/auth/session"));
    expect(urls).toEqual([`${PUBLIC}/members`, `${PUBLIC}/api/auth/session`]);
  });
});

describe("a response made from that request", () => {
  const answer = (handler: (request: NextAuthRequest) => Response | undefined, request = received("/x")) =>
    createAuth(config).auth(handler)(request, event);

  it("stays on the server if it is a rewrite", async () => {
    const rewrites = await Promise.all([
      answer(({ url }) => NextResponse.rewrite(new URL("/y?a=1", url))),
      answer(({ nextUrl }) => NextResponse.rewrite(Object.assign(nextUrl.clone(), { pathname: "/z" }))),
      answer(() => NextResponse.rewrite("https://other.example/y")),
      answer(() => NextResponse.rewrite(`${INNER}/y`)),
    ]);
    expect(rewrites.map(({ headers }) => headers.get("x-middleware-rewrite"))).toEqual([
      `${INNER}/y?a=1`,
      `${INNER}/z`,
      "https://other.example/y",
      `${INNER}/y`,
    ]);
  });

  it("stays on a server that listens on 127.0.0.1, which Next.js calls localhost", async () => {
    vi.stubEnv("__NEXT_PRIVATE_ORIGIN", "http://127.0.0.1:3000");
    const { headers } = await answer(({ url }) => NextResponse.rewrite(new URL("/y", url)));
    expect(headers.get("x-middleware-rewrite")).toBe("http://127.0.0.1:3000/y");
    vi.unstubAllEnvs();
  });

  it("is public if it is a redirect", async () => {
    const { headers } = await answer(({ url }) => NextResponse.redirect(new URL("/login", url)));
    expect(headers.get("location")).toBe(`${PUBLIC}/login`);
  });

  it("passes on the headers that a handler has changed", async () => {
    const { headers } = await answer((request) => {
      const changed = new Headers(request.headers);
      changed.set("x-own", "1");
      return NextResponse.next({ request: { headers: changed } });
    });
    expect(headers.get("x-middleware-request-x-own")).toBe("1");
    expect(headers.get("x-middleware-request-host")).toBe(PROXY.host);
  });
});
