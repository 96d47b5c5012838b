import { once } from "node:events";
import { connect } from "node:http2";
import { defineExtension } from "@cardea/extend";
import { createTestSession } from "@cardea/testing";
import cookie from "@fastify/cookie";
import fastify, { type FastifyInstance } from "fastify";
import { describe, expect, expectTypeOf, it } from "vitest";
import { type AuthConfig, createAuth } from "./index.ts";

const secret = "a secret of more than thirty-two bytes for tests";
const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };
const config: AuthConfig = { secret, logger, trustHost: true, providers: [], session: { updateAge: 0 } };
const guarded: AuthConfig = { ...config, callbacks: { authorized: ({ auth }) => auth !== null } };
const script = { "sec-fetch-mode": "cors", host: "localhost" };

async function cookieOf(): Promise<string> {
  return (await createTestSession(config, { url: "http://localhost", user: { id: "7", name: "Ann" } })).header;
}

async function open(build: (app: FastifyInstance) => unknown, options = {}): Promise<FastifyInstance> {
  const app = fastify(options);
  await build(app);
  return app;
}

/** What extensions hear of a sign-out. */
function recordFederated() {
  const heard: unknown[] = [];
  const onSignOut = async ({ federated }: { federated: boolean | undefined }) => void heard.push(federated);
  return { heard, extensions: [defineExtension({ id: "probe", onSignOut })] };
}

describe("createAuth()", () => {
  it("types the session by what callbacks.session returns", () => {
    const { auth } = createAuth({ ...config, callbacks: { session: () => ({ name: "Ann" }) } });
    expectTypeOf(auth).returns.toEqualTypeOf<Promise<{ name: string } | null>>();
  });

  it("is encapsulated: body parsers inside and outside do not meet", async () => {
    const { plugin } = createAuth(config);
    const app = await open(async (instance) => {
      instance.addContentTypeParser(
        "application/x-www-form-urlencoded",
        { parseAs: "string" },
        (_request, body, done) => done(null, `parsed ${body}`),
      );
      await instance.register(plugin);
      instance.post("/echo", async (request) => request.body);
    });
    const form = { "content-type": "application/x-www-form-urlencoded", host: "localhost" };
    const echo = await app.inject({ method: "POST", url: "/echo", headers: form, payload: "a=1" });
    expect(echo.body).toBe("parsed a=1");
    const json = await app.inject({ method: "POST", url: "/echo", payload: { a: 1 } });
    expect(json.json()).toEqual({ a: 1 });
    const refused = await app.inject({ method: "POST", url: "/auth/signout", headers: form, payload: "a=1" });
    expect(refused.statusCode).toBe(403);
    const text = await app.inject({
      method: "POST",
      url: "/auth/signout",
      headers: { ...form, "content-type": "a/b" },
      payload: "x",
    });
    expect(text.statusCode).toBe(415);
  });

  it("guards the plugin that adds the hook, and no other", async () => {
    const { guard } = createAuth(guarded);
    const app = await open(async (instance) => {
      await instance.register(async (members) => {
        members.addHook("onRequest", guard);
        members.get("/members", async (request) => request.auth?.user?.name);
      });
      instance.get("/open", async () => "open");
    });
    expect((await app.inject({ url: "/members", headers: script })).statusCode).toBe(401);
    expect((await app.inject("/open")).body).toBe("open");
    const headers = { cookie: await cookieOf(), host: "localhost" };
    expect((await app.inject({ url: "/members", headers })).body).toBe("Ann");
  });

  it("passes on whether the session at the provider ends as well", async () => {
    const { heard, extensions } = recordFederated();
    const { signOut } = createAuth({ ...config, extensions });
    const app = await open((instance) => {
      instance.get("/leave", (request, reply) => signOut(request, reply).then(() => reply));
      instance.get("/leave/here", (request, reply) => signOut(request, reply, { federated: false }).then(() => reply));
    });
    for (const url of ["/leave", "/leave/here"])
      await app.inject({ url, headers: { cookie: await cookieOf(), host: "localhost" } });
    expect(heard).toEqual([undefined, false]);
  });

  it("leads back to the page that sent the request, with null for options as well", async () => {
    const { signOut } = createAuth(config);
    const app = await open((instance) => {
      instance.get("/leave", (request, reply) => signOut(request, reply).then(() => reply));
      instance.get("/leave/null", (request, reply) => signOut(request, reply, null).then(() => reply));
    });
    for (const url of ["/leave", "/leave/null"]) {
      const { headers } = await app.inject({ url, headers: { host: "localhost", referer: "http://localhost/cart" } });
      expect(headers.location).toBe("http://localhost/cart");
    }
  });

  it("keeps the cookies of @fastify/cookie, and one line for the session", async () => {
    const { guard, auth, signOut } = createAuth(guarded);
    const app = await open(async (instance) => {
      await instance.register(cookie);
      instance.addHook("onRequest", guard);
      instance.get("/me", async (request, reply) => {
        reply.setCookie("theirs", "1");
        return (await auth(request, reply))?.user?.name;
      });
      instance.get("/leave", async (request, reply) => {
        reply.setCookie("theirs", "1");
        await signOut(request, reply);
        return reply;
      });
    });
    const headers = { cookie: await cookieOf(), host: "localhost" };
    const namesOf = async (url: string) =>
      [(await app.inject({ url, headers })).headers["set-cookie"]]
        .flat()
        .map((line) => line?.split(";")[0]?.slice(0, 22))
        .filter((line) => !line?.includes("csrf"));
    expect((await namesOf("/me")).toSorted()).toEqual(["cardea.session-token=e", "theirs=1"]);
    expect((await namesOf("/leave")).toSorted()).toEqual(["cardea.session-token=", "theirs=1"]);
  });

  it("is registered where requests arrive if a proxy removes a prefix", async () => {
    const door = { id: "door", name: "Door", type: "credentials", credentials: {}, authorize: () => null } as const;
    const { plugin } = createAuth({ ...config, providers: [door], strippedPrefix: "/shop" });
    const app = await open((instance) => void instance.register(plugin));
    const headers = { host: "localhost" };
    const [listed] = (await app.inject({ url: "/auth/providers", headers })).json();
    expect(listed.callbackUrl).toBe("http://localhost/shop/auth/callback/door");
  });

  it("is registered below a prefix that basePath has, and refuses one that it has not", async () => {
    const { plugin } = createAuth({ ...config, basePath: "/api/auth" });
    const app = await open((instance) => instance.register(plugin, { prefix: "/api" }));
    expect((await app.inject({ url: "/api/auth/session", headers: { host: "localhost" } })).body).toBe("null");
    await expect(open((instance) => instance.register(plugin, { prefix: "/other" }))).rejects.toThrow(
      /registered below \/other, but `basePath` is \/api\/auth/,
    );
  });

  it("denies a HEAD with the status and headers of the GET", async () => {
    const { plugin, guard } = createAuth(guarded);
    const app = await open(async (instance) => {
      await instance.register(plugin);
      await instance.register(async (members) => {
        members.addHook("onRequest", guard);
        members.get("/members", async () => "SECRET");
      });
    });
    for (const headers of [{ host: "localhost" }, script]) {
      const [head, get] = await Promise.all(
        (["HEAD", "GET"] as const).map((method) => app.inject({ method, url: "/members", headers })),
      );
      expect(head?.statusCode).toBe(get?.statusCode);
      expect(head?.headers.location).toBe(get?.headers.location);
      expect(head?.body).toBe("");
    }
    const session = await app.inject({ method: "HEAD", url: "/auth/session", headers: script });
    expect([session.statusCode, session.headers["content-type"]]).toEqual([200, "application/json"]);
  });

  it("answers methods that a Request cannot have with 405, with and without a guard in front", async () => {
    for (const isGuarded of [true, false]) {
      const { plugin, guard } = createAuth(() => config);
      const app = await open(async (instance) => {
        if (isGuarded) instance.addHook("onRequest", guard);
        await instance.register(plugin);
      });
      const { port } = await listen(app);
      expect(await sendTarget(port, "/auth/session", "TRACE")).toMatch(/^HTTP\/1\.1 405 /);
      await app.close();
    }
  });

  it.each([
    ["/members;x", { routerOptions: { useSemicolonDelimiter: true } }],
    ["/members;/../open", { routerOptions: { useSemicolonDelimiter: true } }],
    ["//members", { routerOptions: { ignoreDuplicateSlashes: true } }],
    ["/members/", { routerOptions: { ignoreTrailingSlash: true } }],
    ["/%6dembers", {}],
    ["/hidden", { rewriteUrl: ({ url = "" }) => url.replace("/hidden", "/members") }],
    ["/members#/open", {}],
  ])("tells `authorized` what the router matches: %s with %j", async (url, options) => {
    const authorized = ({ request }: { request: Request }) => !/^\/members\/?$/.test(new URL(request.url).pathname);
    const { guard } = createAuth({ ...config, callbacks: { authorized } });
    const app = await open((instance) => {
      instance.addHook("onRequest", guard);
      instance.get("/members", async () => "SECRET");
    }, options);
    const { port } = await listen(app);
    const answer = await sendTarget(port, url);
    expect(answer).toMatch(/ 40[01] (?!.*SECRET)/s);
    await app.close();
  });

  it.each([
    "/?page=login#&page=members",
    "/?page=login&page[]=members",
    "http://localhost?page=login/members",
    "http://localhost?page=login",
    "HTTP://localhost/?page=login",
  ])(
    "does not take %s for the application's own page, which routers and query parsers may read differently",
    async (url) => {
      const { guard } = createAuth({ ...guarded, pages: { signIn: "/?page=login" } });
      const app = await open((instance) => {
        instance.addHook("onRequest", guard);
        instance.get("/*", async () => "in");
      });
      const { port } = await listen(app);
      const answers = ["/?page=login", "http://localhost/?page=login", url].map((target) => sendTarget(port, target));
      expect((await Promise.all(answers)).map((answer) => answer.slice(9, 12))).toEqual([
        "200",
        "200",
        expect.stringMatching(/40[01]/),
      ]);
      await app.close();
    },
  );
});

describe("over HTTP/2", () => {
  it("guards and answers for the host in `:authority`, and refuses another one in `Host`", async () => {
    const told: string[] = [];
    const authorized = ({ request }: { request: Request }) => told.push(request.headers.get("host") ?? "") < 0;
    const { plugin, guard } = createAuth({ ...config, callbacks: { authorized } });
    const app = fastify({ http2: true });
    await app.register(plugin);
    await app.register(async (members) => {
      members.addHook("onRequest", guard);
      members.get("/members", async () => "SECRET");
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    const client = connect(`http://127.0.0.1:${Object(app.server.address()).port}`);
    const ask = async (path: string, headers = {}): Promise<string> => {
      const stream = client.request({ ":path": path, ":authority": "a.example", ...headers });
      const [{ ":status": status }] = await once(stream, "response");
      return `${status} ${Buffer.concat(await stream.toArray()).toString("utf8")}`;
    };
    expect(await ask("/auth/session")).toBe("200 null");
    expect(await ask("/members", { "sec-fetch-mode": "cors", host: "a.example" })).toBe("401 ");
    expect(await ask("/members", { "sec-fetch-mode": "cors", host: "b.example" })).toContain("400 ");
    expect(await ask("/auth/session", { host: "b.example" })).toContain("400 ");
    expect(told).toEqual(["a.example"]);
    client.close();
    await app.close();
  });
});

async function listen(app: FastifyInstance): Promise<{ port: number }> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  const address = app.server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server is not listening.");
  return address;
}

/** Sends a target as it is: `inject` would resolve it. */
async function sendTarget(port: number, target: string, method = "GET"): Promise<string> {
  const { connect } = await import("node:net");
  const socket = connect(port, "127.0.0.1");
  const lines = [`${method} ${target} HTTP/1.1`, "Host: localhost", "Sec-Fetch-Mode: cors", "Connection: close"];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  return Buffer.concat(await socket.toArray()).toString("utf8");
}
