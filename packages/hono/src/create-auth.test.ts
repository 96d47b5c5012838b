import { defineExtension } from "@cardea/extend";
import { createTestSession } from "@cardea/testing";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { authHandler, getAuthUser, initAuthConfig, verifyAuth } from "./authjs.ts";
import { type AuthEnv, createAuth, type HonoAuth } from "./create-auth.ts";
import type { AuthConfig, Session } from "./index.ts";

const secret = "a secret of more than thirty-two bytes for tests";
const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };
const config: AuthConfig = { secret, logger, trustHost: true, providers: [], session: { updateAge: 0 } };
const guarded: AuthConfig = { ...config, callbacks: { authorized: ({ auth }) => auth !== null } };

async function cookieOf(): Promise<string> {
  return (await createTestSession(config, { url: "http://localhost", user: { id: "7", name: "Ann" } })).header;
}

/** What extensions hear of a sign-out. */
function recordFederated() {
  const heard: unknown[] = [];
  const onSignOut = async ({ federated }: { federated: boolean | undefined }) => void heard.push(federated);
  return { heard, extensions: [defineExtension({ id: "probe", onSignOut })] };
}

describe("createAuth()", () => {
  it("types the variable of the guard by what callbacks.session returns", async () => {
    const { guard, auth } = createAuth({ ...config, callbacks: { session: () => ({ name: "Ann" }) } });
    const app = new Hono().get("/", guard, (c) => {
      expectTypeOf(c.get("auth")).toEqualTypeOf<{ name: string } | null>();
      expectTypeOf(auth(c)).toEqualTypeOf<Promise<{ name: string } | null>>();
      return c.json(c.get("auth"));
    });
    expectTypeOf<AuthEnv["Variables"]["auth"]>().toEqualTypeOf<Session | null>();
    const answer = await app.request("/", { headers: { cookie: await cookieOf() } });
    expect(await answer.json()).toEqual({ name: "Ann" });
  });

  it("passes the context to a configuration function", async () => {
    const configure = vi.fn((c?: { env: unknown }) => ({ ...config, secret: String(Object(c?.env).AUTH_SECRET) }));
    const { handler, auth } = createAuth(configure);
    const app = new Hono().use("/auth/*", handler).get("/", async (c) => c.json(await auth(c)));
    const headers = { cookie: await cookieOf() };
    expect(await (await app.request("/", { headers }, { AUTH_SECRET: secret })).json()).toMatchObject({
      user: { name: "Ann" },
    });
    expect((await app.request("/auth/session", { headers }, { AUTH_SECRET: secret })).status).toBe(200);
    expect(await (await app.request("/", { headers }, { AUTH_SECRET: `another ${secret}` })).json()).toBeNull();
  });

  describe("on Cloudflare Workers", () => {
    beforeEach(() => void vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" }));

    const op = { id: "op", name: "OP", type: "oidc" as const, issuer: "https://op.example" };
    const { trustHost: _trusted, secret: _secret, ...bare } = config;
    const bindings = {
      AUTH_SECRET: secret,
      AUTH_OP_ID: "id",
      AUTH_OP_SECRET: "x",
      AUTH_URL: "https://app.example.com",
    };
    const ask = async (handler: HonoAuth["handler"], env: object) => {
      const app = new Hono().use("/auth/*", handler);
      return (await app.request("http://inside.example/auth/providers", {}, env)).json();
    };
    const at = (origin: string) => [{ signinUrl: `${origin}/auth/signin/op` }];

    it("reads the variables from the bindings of each context", async () => {
      const one = { ...bare, providers: [op] };
      for (const configure of [() => ({ ...one }), () => one]) {
        const { handler } = createAuth(configure);
        expect(await ask(handler, bindings)).toMatchObject(at("https://app.example.com"));
        const other = { ...bindings, AUTH_URL: "https://other.example.com" };
        expect(await ask(handler, other)).toMatchObject(at("https://other.example.com"));
        expect(await ask(handler, bindings)).toMatchObject(at("https://app.example.com"));
      }
    });

    it("takes numbers and booleans for text, and other bindings for none", async () => {
      const { handler } = createAuth(() => ({ ...bare, providers: [op] }));
      const { AUTH_URL: _, ...unplaced } = bindings;
      const trusting = { ...unplaced, AUTH_TRUST_HOST: true, AUTH_OP_ID: 7, SESSIONS: {} };
      expect(await ask(handler, trusting)).toMatchObject(at("http://inside.example"));
      const stored = { ...bindings, NODE_ENV: "production", AUTH_SECRET: { get: async () => secret } };
      expect(await ask(handler, stored)).toMatchObject({ message: expect.stringContaining("misconfigured") });
    });
  });

  it("tells `authorized` the path that the router matches, also with `getPath` of the application", async () => {
    const told: string[] = [];
    const authorized = ({ request }: { request: Request }) => told.push(new URL(request.url).pathname) > 9;
    const { guard } = createAuth({ ...config, callbacks: { authorized } });
    const getPath = (request: Request) => new URL(request.url).pathname.replace(/^\/de(?=\/)/, "");
    const app = new Hono({ getPath }).use(guard).get("*", (c) => c.text("APP"));
    for (const path of ["/de/members", "/%6dembers", "/a%20b/%7bx}"]) {
      expect((await app.request(path, { headers: { "sec-fetch-mode": "cors" } })).status).toBe(401);
    }
    expect(told).toEqual(["/members", "/members", "/a%20b/%7Bx%7D"]);
  });

  it.each([
    ["without middleware", (app: Hono) => app],
    ["behind middleware", (app: Hono) => app.use((_c, next) => next())],
  ])("sets its cookies, each in a header, %s", async (_name, prepare) => {
    const { handler } = createAuth(config);
    const app = prepare(new Hono()).use("/auth/*", handler);
    const { headers } = await app.request("http://localhost/auth/signin?callbackUrl=/x", {
      headers: { host: "localhost" },
    });
    const names = headers.getSetCookie().map((line) => line.split("=")[0]);
    expect(names.toSorted()).toEqual(["cardea.callback-url", "cardea.csrf-token"]);
  });

  it("adds its cookies to those of the application", async () => {
    const { handler } = createAuth(config);
    const app = new Hono()
      .use(async (c, next) => {
        c.header("set-cookie", "theirs=1", { append: true });
        await next();
      })
      .use("/auth/*", handler);
    const { headers } = await app.request("http://localhost/auth/csrf", { headers: { host: "localhost" } });
    expect(
      headers
        .getSetCookie()
        .map((line) => line.split("=")[0])
        .toSorted(),
    ).toEqual(["cardea.csrf-token", "theirs"]);
  });

  it("keeps its own responses out of shared caches, whatever middleware said before", async () => {
    const { handler, guard } = createAuth({ ...config, session: {}, callbacks: { authorized: () => false } });
    const app = new Hono()
      .use(async (c, next) => {
        c.header("Cache-Control", "public, max-age=60");
        c.header("X-Theirs", "1");
        await next();
      })
      .use("/auth/*", handler)
      .use(guard);
    for (const path of ["/auth/session", "/members"]) {
      const { headers } = await app.request(path, { headers: { cookie: await cookieOf() } });
      expect([headers.get("cache-control"), headers.get("x-theirs")]).toEqual(["private, no-cache, no-store", "1"]);
    }
  });

  it("rejects a method that a Request cannot have, before `authorized` decides about another", async () => {
    const authorized = vi.fn(() => true);
    const { guard } = createAuth({ ...config, callbacks: { authorized } });
    const app = new Hono().use(guard).all("*", (c) => c.text("APP"));
    const request = Object.defineProperty(new Request("http://localhost/"), "method", { value: "TRACE" });
    expect((await app.request(request)).status).toBe(405);
    expect(authorized).not.toHaveBeenCalled();
  });

  it("passes on whether the session at the provider ends as well", async () => {
    const { heard, extensions } = recordFederated();
    const { signOut } = createAuth({ ...config, extensions });
    const app = new Hono()
      .get("/leave", (c) => signOut(c))
      .get("/leave/everywhere", (c) => signOut(c, { federated: true }));
    for (const path of ["/leave", "/leave/everywhere"])
      await app.request(path, { headers: { cookie: await cookieOf() } });
    expect(heard).toEqual([undefined, true]);
  });

  it("leads back to the page that sent the request, with null for options as well", async () => {
    const { signIn, signOut } = createAuth(config);
    const app = new Hono()
      .get("/leave", (c) => signOut(c))
      .get("/leave/null", (c) => signOut(c, null))
      .get("/enter", (c) => signIn(c, undefined, null));
    const lead = async (path: string) => {
      const headers = { host: "localhost", referer: "http://localhost/cart" };
      return (await app.request(`http://localhost${path}`, { headers })).headers.get("location");
    };
    const cart = "http://localhost/cart";
    expect([await lead("/leave"), await lead("/leave/null")]).toEqual([cart, cart]);
    expect(await lead("/enter")).toBe(`http://localhost/auth/signin?callbackUrl=${encodeURIComponent(cart)}`);
  });

  it("keeps cookies and headers of the handler, and lets a sign-out in it take precedence", async () => {
    const { guard, signOut } = createAuth(guarded);
    const app = new Hono().use(guard).get("/leave", async (c) => {
      c.header("set-cookie", "theirs=1", { append: true });
      return signOut(c);
    });
    const { headers } = await app.request("http://localhost/leave", { headers: { cookie: await cookieOf() } });
    const lines = headers.getSetCookie().filter((line) => !line.startsWith("cardea.c"));
    expect(lines.toSorted()).toEqual([
      expect.stringMatching(/^cardea\.session-token=;.*Max-Age=0/),
      expect.stringMatching(/^theirs=1/),
    ]);
  });
});

describe("the guard of a mounted application", () => {
  it("takes none of its pages for an endpoint or an own page, where the server passes the request of Node.js", async () => {
    const { guard } = createAuth({ ...guarded, pages: { signIn: "/login" } });
    const inner = new Hono().use(guard).all("*", (c) => c.text("in"));
    const app = new Hono().mount("/x", inner.fetch).route("/", inner);
    const ask = async (path: string) =>
      (await app.request(path, { headers: { "sec-fetch-mode": "cors" } }, { incoming: { url: path } })).status;
    const paths = ["/login", "/x/login", "/x/auth/session", "/x/members"];
    expect(await Promise.all(paths.map(ask))).toEqual([200, 401, 401, 401]);
  });
});

describe("names of @hono/auth-js", () => {
  const build = () =>
    new Hono()
      .use(
        "*",
        initAuthConfig((c) => ({ ...config, basePath: "/api/auth", secret: String(Object(c.env).AUTH_SECRET) })),
      )
      .use("/api/auth/*", authHandler())
      .use("/members/*", verifyAuth())
      .get("/members/me", (c) => c.json(c.get("authUser")))
      .get("/me", async (c) => c.json(await getAuthUser(c)));

  it("answer at basePath, with 401 to visitors, and with the user", async () => {
    const app = build();
    const ask = (path: string, headers = {}) => app.request(path, { headers }, { AUTH_SECRET: secret });
    expect(await (await ask("/api/auth/session")).json()).toBeNull();
    expect(await (await ask("/me")).json()).toBeNull();
    expect((await ask("/members/me")).status).toBe(401);
    const answer = await ask("/members/me", { cookie: await cookieOf() });
    expect(await answer.json()).toMatchObject({ session: { user: { name: "Ann" } }, token: { name: "Ann" } });
  });

  it("have the session that the callback received, as @hono/auth-js had", async () => {
    const callbacks = {
      session({ session }: { session: object }) {
        Object.assign(session, { set: 1 });
        return { ...session, role: "admin" } as never;
      },
    };
    const app = new Hono()
      .use(initAuthConfig(() => ({ ...config, callbacks, basePath: "/api/auth", secret })))
      .get("/me", async (c) => c.json(await getAuthUser(c)));
    const { session } = await (await app.request("/me", { headers: { cookie: await cookieOf() } })).json();
    expect([session.set, session.role]).toEqual([1, undefined]);
  });

  it.each([null, undefined])("take a session whose user is %s for none", async (user) => {
    const callbacks = { session: ({ session }: { session: object }) => ({ ...session, user }) as never };
    const app = new Hono()
      .use(initAuthConfig(() => ({ ...config, callbacks, basePath: "/api/auth", secret })))
      .get("/me", async (c) => c.json(await getAuthUser(c)))
      .get("/members", verifyAuth());
    const headers = { cookie: await cookieOf() };
    expect(await (await app.request("/me", { headers })).json()).toBeNull();
    expect((await app.request("/members", { headers })).status).toBe(401);
  });

  it("throw the 401, which `onError` of the application may answer", async () => {
    const app = new Hono()
      .use(initAuthConfig(() => config))
      .onError((error, c) =>
        error instanceof HTTPException && error.status === 401 ? c.redirect("/login") : c.body(null),
      )
      .get("/members", verifyAuth());
    expect((await app.request("/members")).headers.get("location")).toBe("/login");
  });

  it("say which one is missing", async () => {
    const app = new Hono().use(verifyAuth()).onError((error, c) => c.text(error.message, 500));
    expect(await (await app.request("/")).text()).toContain("initAuthConfig()");
  });
});

it("operations without a request say what they need", async () => {
  const { auth, signIn } = createAuth({ secret: "a secret of more than thirty-two bytes for tests", providers: [] });
  // @ts-expect-error A caller without types, or one who knows Auth.js for Next.js.
  await expect(async () => auth()).rejects.toThrow(/^Pass the /);
  // @ts-expect-error
  await expect(async () => signIn()).rejects.toThrow(/^Pass the /);
});
