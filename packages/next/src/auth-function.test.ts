import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { createMemoryAdapter, createTestSession } from "@cardea/testing";
import { type NextFetchEvent, NextRequest, NextResponse } from "next/server.js";
import { describe, expect, it, vi } from "vitest";
import { createAuth, type NextAuthConfig, type NextAuthRequest } from "./index.ts";

const origin = "http://localhost:3000";
const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined };
const event = parseEvent({ waitUntil: () => undefined });

/** An application whose sessions are renewed at every read, and the cookie of a user who is signed in there. */
async function setUp(overrides: Partial<NextAuthConfig> = {}, id = "7") {
  const config: NextAuthConfig = {
    secret: "a secret of more than thirty-two bytes for tests",
    basePath: "/api/auth",
    providers: [],
    logger: silent,
    session: { updateAge: 0 },
    ...overrides,
  };
  const { header } = await createTestSession(config, { url: origin, user: { id, name: "Ann" } });
  const send = (path: string, headers: Record<string, string> = {}) =>
    new NextRequest(`${origin}${path}`, { headers: { host: "localhost:3000", cookie: header, ...headers } });
  return { config, header, send, app: createAuth(config) };
}

const renewed = [expect.stringMatching(/^cardea\.session-token=ey.*HttpOnly/)];
const privately = "private, no-cache, no-store";

describe("auth(request, event): middleware", () => {
  it("lets a request go on, and renews the session for the page and for the browser", async () => {
    const { app, send, header } = await setUp();
    const answer = await app.auth(send("/members", { cookie: `theirs=1; ${header}` }), event);
    expect(answer.headers.get("x-middleware-next")).toBe("1");
    expect(answer.headers.getSetCookie()).toEqual(renewed);
    const [, token] = /^([^;]+)/.exec(answer.headers.getSetCookie()[0] ?? "") ?? [];
    expect(answer.headers.get("x-middleware-request-cookie")).toBe(`theirs=1; ${token}`);
    expect(token).not.toBe(header);
    expect(answer.headers.get("cache-control")).toBe(privately);
  });

  it("judges a request whatever the global `Request` is by then", async () => {
    const { app, send } = await setUp({ callbacks: { authorized: () => false } });
    const request = send("/members");
    // As a server does that brings its own, for example `@hono/node-server`.
    vi.stubGlobal("Request", class extends Request {});
    const answer = await app.auth(request, event);
    vi.unstubAllGlobals();
    expect([answer.status, new URL(answer.headers.get("location") ?? "").pathname]).toEqual([302, "/api/auth/signin"]);
  });

  it("warns once if it denies the files that pages need, because the matcher is missing", async () => {
    const warn = vi.fn<(line: string) => void>();
    const { app, send } = await setUp({
      logger: { ...silent, warn },
      callbacks: { authorized: ({ auth }) => auth !== null },
    });
    const visit = (path: string) => app.auth(send(path, { cookie: "" }), event);
    await visit("/members");
    await app.auth(send("/_next/static/a.css"), event);
    expect(warn).not.toHaveBeenCalled();
    for (const path of ["/_next/static/a.css", "/_next/static/b.js"]) expect((await visit(path)).status).not.toBe(200);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^next-matcher: .*`matcher`/)]]);
  });

  it("keeps what a session admitted out of caches, unless middleware of the application chooses otherwise", async () => {
    const { app, send } = await setUp({ session: {} });
    const answer = await app.auth(send("/"), event);
    const ours = ["cache-control", "private, no-cache, no-store"];
    expect([...answer.headers]).toEqual([ours, ["x-middleware-next", "1"]]);
    const chosen = { headers: { "cache-control": "public, max-age=60" } };
    const own = await app.auth(() => NextResponse.next(chosen))(send("/"), event);
    expect(own.headers.get("cache-control")).toBe("public, max-age=60");
  });

  it("says nothing to visitors", async () => {
    const { app, send } = await setUp({ session: {} });
    const answer = await app.auth(send("/", { cookie: "" }), event);
    expect([...answer.headers]).toEqual([["x-middleware-next", "1"]]);
  });

  it("clears a session that has ended, for the page as well", async () => {
    const { app, send, header } = await setUp({
      callbacks: { jwt: ({ token, trigger }) => (trigger === undefined ? null : token) },
    });
    const answer = await app.auth(send("/", { cookie: `theirs=1; ${header}` }), event);
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^cardea\.session-token=; Max-Age=0/)]);
    expect(answer.headers.get("x-middleware-request-cookie")).toBe("theirs=1");
  });

  it("leaves a token alone that another application on this host may have written", async () => {
    const { app, send } = await setUp();
    const answer = await app.auth(send("/", { cookie: "theirs=1; cardea.session-token=ey.a.b.c.d" }), event);
    expect([...answer.headers]).toEqual([["x-middleware-next", "1"]]);
  });

  it("leaves the token of a database session alone that it knows nothing of", async () => {
    const { app, send } = await setUp();
    const answer = await app.auth(send("/", { cookie: "cardea.session-token=0f8fad5b-d9cb-469f" }), event);
    expect([...answer.headers]).toEqual([["x-middleware-next", "1"]]);
  });

  it("passes on a token of any printable characters as the browser will send it", async () => {
    const memory = createMemoryAdapter();
    const { id } = (await memory.adapter.createUser?.({ id: "", email: "ann@example.com", emailVerified: null })) ?? {};
    const session = { updateAge: 0, generateSessionToken: () => "user: 50%;~" };
    const { send, app } = await setUp({ adapter: memory.adapter, session }, id);
    const answer = await app.auth(send("/members"), event);
    const pair = `cardea.session-token=${encodeURIComponent("user: 50%;~")}`;
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(`^${pair}; Max-Age=2592000`)]);
    expect(answer.headers.get("x-middleware-request-cookie")).toBe(pair);
  });

  it("answers 503 when no one can say who is there, and no one is let in (contract 6)", async () => {
    const callbacks = { session: () => Promise.reject(new Error("the database is down")) };
    const { send, app, header } = await setUp({ callbacks });
    for (const headers of [{}, { "sec-fetch-mode": "cors" }]) {
      const answer = await app.auth(send("/members", { cookie: header, ...headers }), event);
      expect([answer.status, answer.headers.get("retry-after"), answer.headers.getSetCookie()]).toEqual([503, "5", []]);
      expect(answer.headers.has("x-middleware-next")).toBe(false);
    }
    expect((await app.auth(send("/members", { cookie: "" }), event)).status).toBe(200);
  });

  it("neither trusts nor forwards what Next tells itself (H340)", async () => {
    const { app, send } = await setUp();
    const spoofed = "middleware:middleware:middleware:middleware:middleware";
    const answer = await app.auth(send("/", { "x-middleware-subrequest": spoofed, "x-mine": "1" }), event);
    const passed = answer.headers.get("x-middleware-override-headers")?.split(",");
    expect(passed).toContain("x-mine");
    expect(passed).not.toContain("x-middleware-subrequest");
    expect(JSON.stringify([...answer.headers])).not.toContain(spoofed);
  });

  it("lets a response of callbacks.authorized be the answer", async () => {
    const { app, send } = await setUp({
      callbacks: { authorized: ({ request }) => NextResponse.rewrite(new URL("/teapot", request.nextUrl)) },
    });
    const answer = await app.auth(send("/members"), event);
    expect(answer.headers.get("x-middleware-rewrite")).toBe(`${origin}/teapot`);
    expect(answer.headers.get("x-middleware-next")).toBeNull();
    expect(answer.headers.get("x-middleware-request-cookie")).toMatch(/^cardea\.session-token=ey/);
  });

  it("gives authorized Next's own request", async () => {
    const authorized = vi.fn(() => true);
    const { app, send } = await setUp({ callbacks: { authorized } });
    const request = send("/members?a=1");
    await app.auth(request, event);
    expect(authorized).toHaveBeenCalledWith({ request, auth: expect.objectContaining({ user: expect.anything() }) });
  });

  it("leads people to the sign-in page with the way back and nothing else (H042)", async () => {
    const { app, send } = await setUp({ callbacks: { authorized: () => false } });
    const answer = await app.auth(send("/dash?error=AccessDenied&callbackUrl=https://evil.example&email=x"), event);
    const location = new URL(answer.headers.get("location") ?? "");
    expect([answer.status, `${location.origin}${location.pathname}`]).toEqual([302, `${origin}/api/auth/signin`]);
    expect([...location.searchParams]).toEqual([
      ["callbackUrl", "/dash?error=AccessDenied&callbackUrl=https://evil.example&email=x"],
    ]);
  });

  it("sends no one in a circle: the sign-in page and the actions are open", async () => {
    const { app, send } = await setUp({ callbacks: { authorized: () => false }, pages: { signIn: "/login" } });
    const paths = [
      "/login",
      "/login?callbackUrl=/",
      "/api/auth/session",
      "/api/auth/callback/op",
      "/api/authors",
      "/x",
    ];
    const answers = await Promise.all(paths.map((path) => app.auth(send(path), event)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 302, 302]);
  });

  it.each([
    ["false", () => false],
    ["undefined", () => undefined],
  ])("blocks when authorized returns %s (H346, H347)", async (_name, authorized) => {
    const { app, send } = await setUp({ callbacks: { authorized } });
    expect((await app.auth(send("/members"), event)).status).toBe(302);
    expect((await app.auth(send("/members", { "sec-fetch-mode": "cors" }), event)).status).toBe(401);
  });

  it("lets no one in when authorized throws (H347)", async () => {
    const { app, send } = await setUp({
      callbacks: {
        authorized: () => {
          throw new Error("no");
        },
      },
    });
    await expect(app.auth(send("/members"), event)).rejects.toMatchObject({ type: "CallbackRouteError" });
  });
});

describe("auth(handler)", () => {
  const read = (request: NextAuthRequest) => Response.json(request.auth);

  it.each([undefined, null])("lets the request continue after middleware that returns %s", async (nothing) => {
    const { app, send } = await setUp();
    const answer = await app.auth(() => nothing)(send("/"), event);
    expect([answer.headers.get("x-middleware-next"), answer.headers.getSetCookie()]).toEqual(["1", renewed]);
  });

  it("gives a handler its session, and keeps caches out when it is renewed (H351)", async () => {
    const { app, send } = await setUp();
    const forAll = { "cache-control": "public, s-maxage=600", "cdn-cache-control": "max-age=600", "x-mine": "1" };
    const answer = await app.auth((request) => Response.json(request.auth, { status: 201, headers: forAll }))(
      send("/"),
      undefined,
    );
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ user: { name: "Ann" } });
    expect(answer.headers.getSetCookie()).toEqual(renewed);
    expect(answer.headers.get("cache-control")).toBe(privately);
    expect(answer.headers.get("cdn-cache-control")).toBeNull();
    expect(answer.headers.get("x-mine")).toBe("1");
  });

  it("leaves an answer alone that sets no cookie", async () => {
    const { app, send } = await setUp({ session: {} });
    const given = new Response("-", { headers: { "cache-control": "public" } });
    expect(await app.auth(() => given)(send("/"), undefined)).toBe(given);
  });

  it.each([
    ["false", () => false],
    ["undefined", () => undefined],
    ["a response", () => new Response("no", { status: 418 })],
  ])("does not run the handler when authorized returns %s (H346, H347)", async (_name, authorized) => {
    const handler = vi.fn(read);
    const { app, send } = await setUp({ callbacks: { authorized } });
    const answer = await app.auth(handler)(send("/members"), undefined);
    expect(handler).not.toHaveBeenCalled();
    expect([302, 418]).toContain(answer.status);
    expect(answer.headers.getSetCookie()).toEqual(renewed);
  });

  it("does not run the handler when authorized throws, or when no one can say who is there (H347)", async () => {
    const handler = vi.fn(read);
    const throws = () => {
      throw new Error("no");
    };
    const { config, send } = await setUp();
    const unsure = createAuth({ ...config, callbacks: { authorized: throws } });
    await expect(unsure.auth(handler)(send("/members"), undefined)).rejects.toMatchObject({
      type: "CallbackRouteError",
    });
    const down = createAuth({ ...config, callbacks: { session: throws } });
    const answer = await down.auth(handler)(send("/members"), { params: Promise.resolve({}) });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(handler).not.toHaveBeenCalled();
  });

  it("does not run the handler when the configuration is broken (H344)", async () => {
    const handler = vi.fn(read);
    const { config, send } = await setUp({ callbacks: { authorized: ({ auth }) => auth !== null } });
    const broken = { ...config, providers: [{ id: "op", name: "OP", type: "oauth" as const, clientId: "x" }] };
    const app = createAuth(() => broken);
    await expect(app.auth(handler)(send("/members"), undefined)).rejects.toMatchObject({ kind: expect.anything() });
    await expect(app.auth(send("/members"), event)).rejects.toThrow();
    expect(handler).not.toHaveBeenCalled();
    expect((await app.handlers.GET(send("/api/auth/session"))).status).toBe(500);
    expect(() => createAuth(broken)).toThrow();
  });

  it("is middleware as well: what it answers is the answer, nothing lets the request go on", async () => {
    const { app, send } = await setUp();
    const goOn = await app.auth(() => undefined)(send("/"), event);
    expect(goOn.headers.get("x-middleware-next")).toBe("1");
    const own = await app.auth(() => NextResponse.next({ headers: { "x-mine": "1" } }))(send("/"), event);
    expect(own.headers.get("x-mine")).toBe("1");
    for (const answer of [goOn, own]) {
      expect(answer.headers.get("x-middleware-request-cookie")).toMatch(/^cardea\.session-token=ey/);
      expect(answer.headers.getSetCookie()).toEqual(renewed);
    }
    const elsewhere = await app.auth(() => NextResponse.redirect(`${origin}/x`))(send("/"), event);
    expect(elsewhere.headers.get("x-middleware-request-cookie")).toBeNull();
  });

  it("keeps the headers and cookies that middleware of the application sets for itself", async () => {
    const { app, send, header } = await setUp();
    const answer = await app.auth((request) => {
      const headers = new Headers(request.headers);
      headers.set("x-mine", "1");
      const response = NextResponse.next({ request: { headers } });
      response.cookies.set("theirs", "1");
      return response;
    })(send("/"), event);
    expect(answer.headers.get("x-middleware-request-x-mine")).toBe("1");
    expect(answer.headers.get("x-middleware-request-cookie")).toMatch(/^cardea\.session-token=ey/);
    expect(answer.headers.get("x-middleware-request-cookie")).not.toBe(header);
    expect(answer.headers.getSetCookie()).toEqual([...renewed, expect.stringMatching(/^theirs=1/)]);
  });
});

describe("auth(req, res) and auth(context): Pages Router", () => {
  function pages(headers: Record<string, string>, url = "/api/me") {
    const req = Object.assign(new IncomingMessage(new Socket()), {
      url,
      headers: { host: "localhost:3000", ...headers },
    });
    return { req, res: new ServerResponse(req) };
  }

  it("resolves to the session, renews it once, and keeps caches out (docs/from-nextauth.md#v4-api-routes, docs/from-nextauth.md#v4-page-props, docs/from-nextauth.md#v4-get-session)", async () => {
    const { app, header } = await setUp();
    const { req, res } = pages({ cookie: header });
    res.setHeader("set-cookie", ["theirs=1"]);
    expect(await app.auth(req, res)).toMatchObject({ user: { name: "Ann" } });
    expect(await app.auth({ req, res })).toMatchObject({ user: { name: "Ann" } });
    expect(res.getHeader("set-cookie")).toEqual(["theirs=1", ...renewed]);
    expect(res.getHeader("cache-control")).toBe(privately);
  });

  it("resolves to null for no one, whatever was asked for, and sets nothing", async () => {
    const { app } = await setUp();
    for (const url of ["/", "//", "/%", "http://evil.example/", "*"]) {
      const { req, res } = pages({}, url);
      expect(await app.auth(req, res)).toBeNull();
      expect(res.getHeaderNames()).toEqual([]);
    }
  });

  it("only looks when the answer has begun", async () => {
    const { app, header } = await setUp();
    const { req, res } = pages({ cookie: header });
    res.writeHead(200);
    expect(await app.auth(req, res)).toMatchObject({ user: { name: "Ann" } });
  });

  it("lets a configuration function see the request", async () => {
    const { config, header } = await setUp();
    const configure = vi.fn((_request?: NextRequest) => config);
    const app = createAuth(configure);
    const { req, res } = pages({ cookie: header, "x-tenant": "a" }, "/api/me?b=1");
    expect(await app.auth(req, res)).toMatchObject({ user: { name: "Ann" } });
    const [request] = configure.mock.calls[0] ?? [];
    expect([request?.nextUrl.pathname, request?.headers.get("x-tenant")]).toEqual(["/api/me", "a"]);
  });
});

function parseEvent(value: unknown): NextFetchEvent {
  return value as NextFetchEvent;
}

it("auth() outside of a request says where to call it", async () => {
  const { app } = await setUp();
  await expect(app.auth()).rejects.toThrow(
    /^There is no request here\. Call auth\(\), signIn\(\) and signOut\(\) in a server component/,
  );
});
