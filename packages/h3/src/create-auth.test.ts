import { once } from "node:events";
import { createServer, request as sendRequest } from "node:http";
import { connect, createServer as createSecondServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { defineExtension } from "@cardea/extend";
import { createTestSession } from "@cardea/testing";
import { H3, type H3Event as H3v2, HTTPError } from "h3";
import { toNodeHandler } from "h3/node";
import { createApp, createRouter, eventHandler, type H3Event as H3v1, toNodeListener, useBase } from "h3-v1";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import { type AuthConfig, createAuth } from "./index.ts";

const secret = "a secret of more than thirty-two bytes for tests";
const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };
const config: AuthConfig = { secret, logger, trustHost: true, providers: [], session: { updateAge: 0 } };
const script = { "sec-fetch-mode": "cors" };
const members: AuthConfig["callbacks"] = {
  authorized: ({ auth, request }) => auth !== null || !/^\/(?:app\/)?members/.test(new URL(request.url).pathname),
};

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
  it("takes the events of both versions", () => {
    const { auth } = createAuth({ ...config, callbacks: { session: () => ({ name: "Ann" }) } });
    expectTypeOf(auth).toBeCallableWith({} as H3v1);
    expectTypeOf(auth).toBeCallableWith({} as H3v2);
    expectTypeOf(auth).returns.toEqualTypeOf<Promise<{ name: string } | null>>();
  });

  it("h3 2: reads, guards and answers for a request of the Fetch API", async () => {
    const { handler, guard, auth } = createAuth({ ...config, callbacks: members });
    const app = new H3()
      .use(guard)
      .all("/auth/**", handler)
      .get("/me", async (event) => Response.json(await auth(event)))
      .get("/members", (event) => Response.json(event.context.auth));
    const ask = (path: string, headers: Record<string, string> = {}) =>
      app.request(`http://localhost${path}`, { headers: { host: "localhost", ...headers } });
    expect((await ask("/members", script)).status).toBe(401);
    expect((await ask("/%6dembers", script)).status).toBe(401);
    const cookie = await cookieOf();
    const answer = await ask("/members", { cookie });
    expect(await answer.json()).toMatchObject({ user: { name: "Ann" } });
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect((await ask("/me", { cookie })).headers.getSetCookie()).toHaveLength(1);
    expect(await (await ask("/auth/session", { cookie })).json()).toMatchObject({ user: { name: "Ann" } });
  });

  it("passes on whether the session at the provider ends as well", async () => {
    const { heard, extensions } = recordFederated();
    const { signOut } = createAuth({ ...config, extensions });
    const app = new H3()
      .get("/leave", (event) => signOut(event))
      .get("/leave/everywhere", (event) => signOut(event, { federated: true }));
    for (const path of ["/leave", "/leave/everywhere"])
      await app.request(`http://localhost${path}`, { headers: { host: "localhost", cookie: await cookieOf() } });
    expect(heard).toEqual([undefined, true]);
  });

  it("leads back to the page that sent the request, with null for options as well", async () => {
    const { signOut } = createAuth(config);
    const app = new H3().get("/leave", (event) => signOut(event)).get("/leave/null", (event) => signOut(event, null));
    const headers = { host: "localhost", referer: "http://localhost/cart" };
    for (const path of ["/leave", "/leave/null"])
      expect((await app.request(`http://localhost${path}`, { headers })).headers.get("location")).toBe(headers.referer);
  });

  it("h3 1: works below a base, as Nitro's `baseURL` is, and judges what the router matches there", async () => {
    const { handler, guard } = createAuth({ ...config, basePath: "/app/auth", callbacks: members });
    const router = createRouter()
      .use("/auth/**", eventHandler(handler))
      .use(
        "/members",
        eventHandler(() => "SECRET"),
      );
    const inner = createApp().use(eventHandler(guard)).use(router);
    const app = createApp().use("/app", useBase("/app", inner.handler));
    const server = createServer(toNodeListener(app)).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const ask = (path: string, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers });
    for (const path of ["/app/members", "/app/%6dembers", "/app/members%3fx", "/app/members?x"]) {
      expect([path, (await ask(path, script)).status]).toEqual([path, 401]);
    }
    expect(await (await ask("/app/auth/session")).json()).toBeNull();
    await new Promise((resolve) => server.close(resolve));
  });

  it("h3 2: takes no page of a mounted application for an endpoint or an own page", async () => {
    const { guard } = createAuth({ ...config, pages: { signIn: "/login" }, callbacks: { authorized: () => false } });
    const inner = new H3().use(guard).all("/**", () => "in");
    const app = new H3().mount("/x", inner).use(guard);
    app.get("/login", () => "in");
    const listener = toNodeHandler(app);
    const server = createServer((...given) => Reflect.apply(listener, undefined, given)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const origin = `http://127.0.0.1:${Object(server.address()).port}`;
    const paths = ["/login", "/x/login", "/x/auth/session", "/x/members"];
    const answers = await Promise.all(paths.map((path) => fetch(`${origin}${path}`, { headers: script })));
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 401]);
    await new Promise((resolve) => server.close(resolve));
  });

  it("sets its cookies without a guard in front, in both versions", async () => {
    const { handler } = createAuth(config);
    const namesOf = ({ headers }: Response) =>
      headers
        .getSetCookie()
        .map((line) => line.split("=")[0])
        .toSorted();
    const names = ["cardea.callback-url", "cardea.csrf-token"];
    const v2 = new H3().all("/auth/**", handler);
    const headers = { host: "localhost" };
    expect(namesOf(await v2.request("http://localhost/auth/signin?callbackUrl=/x", { headers }))).toEqual(names);
    const v1 = createApp().use(createRouter().use("/auth/**", eventHandler(handler)));
    const server = createServer(toNodeListener(v1)).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    expect(namesOf(await fetch(`http://127.0.0.1:${port}/auth/signin?callbackUrl=/x`))).toEqual(names);
    await new Promise((resolve) => server.close(resolve));
  });

  it("h3 2: keeps its own responses out of shared caches, whatever middleware said before", async () => {
    const { handler, guard } = createAuth({ ...config, session: {}, callbacks: { authorized: () => false } });
    const app = new H3()
      .use(({ res }) => res.headers.set("cache-control", "public, max-age=60"))
      .use(guard)
      .all("/auth/**", handler);
    const headers = { host: "localhost", cookie: await cookieOf() };
    for (const path of ["/auth/session", "/members"]) {
      const answer = await app.request(`http://localhost${path}`, { headers });
      expect(answer.headers.get("cache-control")).toBe("private, no-cache, no-store");
    }
  });

  it("sets its cookies whatever the status, in both versions", async () => {
    const { handler, guard, signOut } = createAuth(config);
    const deleted = (lines: readonly string[]) => lines.filter((line) => /session-token=;/.test(line)).length;
    const headers = { host: "localhost", cookie: await cookieOf() };
    const leave = async <E extends H3v1 | H3v2>(event: E) => void (await signOut(event, { redirect: false }));
    const second = new H3({ silent: true })
      .use(guard)
      .get("/left", (event) => leave(event).then(() => "left"))
      .get("/refused", (event) => leave(event).then(() => new Response("blocked", { status: 403 })))
      .get("/thrown", (event) => leave(event).then(() => Promise.reject(new HTTPError({ status: 403 }))));
    for (const [path, status] of [["left", 200] as const, ["refused", 403] as const, ["thrown", 403] as const]) {
      const answer = await second.request(`http://localhost/${path}`, { headers });
      expect([path, answer.status, deleted(answer.headers.getSetCookie())]).toEqual([path, status, 1]);
      expect(answer.headers.get("cache-control")).toContain("no-store");
    }
    // The page that asks again before a sign-out has a new token, whose cookie it needs.
    const form = { method: "POST", headers, body: new URLSearchParams() };
    const stale = await new H3().all("/auth/**", handler).request("http://localhost/auth/signout", form);
    expect([stale.status, stale.headers.getSetCookie().join()]).toEqual([403, expect.stringMatching(/csrf-token=\w/)]);
    const refuse = eventHandler((event) => leave(event).then(() => new Response("blocked", { status: 403 })));
    const server = createServer(toNodeListener(createApp().use(eventHandler(guard)).use(refuse))).listen(
      0,
      "127.0.0.1",
    );
    await once(server, "listening");
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { headers });
    server.close();
    expect([answer.status, deleted(answer.headers.getSetCookie())]).toEqual([403, 1]);
  });

  it("h3 1: guards and answers over HTTP/2, for the host in `:authority`", async () => {
    const hosts: string[] = [];
    const authorized = ({ request }: { request: Request }) => hosts.push(request.headers.get("host") ?? "") < 0;
    const { handler, guard } = createAuth({ ...config, callbacks: { authorized } });
    const router = createRouter()
      .use("/auth/**", eventHandler(handler))
      .use(
        "/members",
        eventHandler(() => "SECRET"),
      );
    const listener = toNodeListener(createApp().use(eventHandler(guard)).use(router));
    const server = createSecondServer((...given) => Reflect.apply(listener, undefined, given)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = connect(`http://127.0.0.1:${Object(server.address()).port}`);
    const ask = async (path: string): Promise<string> => {
      const stream = client.request({ ":path": path, ":authority": "a.example", ...script });
      const [{ ":status": status }] = await once(stream, "response");
      return `${status} ${Buffer.concat(await stream.toArray()).toString("utf8")}`;
    };
    expect(await ask("/auth/session")).toBe("200 null");
    expect(await ask("/members")).toBe("401 ");
    expect(hosts).toEqual(["a.example"]);
    client.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it("h3 2: guards and answers over HTTP/2, for the host in `:authority`", async () => {
    const origins: string[] = [];
    const authorized = ({ request }: { request: Request }) => origins.push(new URL(request.url).origin) < 0;
    const { handler, guard } = createAuth({ ...config, callbacks: { authorized } });
    const app = new H3()
      .use(guard)
      .all("/auth/**", handler)
      .get("/members", () => "SECRET");
    const listener = toNodeHandler(app);
    const server = createSecondServer((...given) => Reflect.apply(listener, undefined, given)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = connect(`http://127.0.0.1:${Object(server.address()).port}`);
    const ask = async (path: string): Promise<string> => {
      const stream = client.request({ ":path": path, ":authority": "a.example", ...script });
      const [{ ":status": status }] = await once(stream, "response");
      return `${status} ${Buffer.concat(await stream.toArray()).toString("utf8")}`;
    };
    expect(await ask("/auth/session")).toBe("200 null");
    expect(await ask("/members")).toBe("401 ");
    expect(origins).toEqual(["http://a.example"]);
    client.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    [undefined, 400],
    ["https://app.example.com", 200],
  ])("h3 2: has no internal error for a `Host` that is not one, with AUTH_URL %s", async (origin, status) => {
    vi.stubEnv("AUTH_URL", origin);
    const logged: unknown[] = [];
    const quiet = { ...logger, error: (error: Error) => void logged.push(error) };
    const { handler, guard } = createAuth({ ...config, callbacks: members, logger: quiet });
    const unguarded = new H3({ silent: true });
    for (const app of [unguarded, new H3({ silent: true }).use(guard)]) {
      app.all("/auth/**", handler);
      const server = createServer(toNodeHandler(app.all("/members", () => "secret"))).listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const ask = async (path: string) => {
        const headers = { host: "localhost:99999", ...script };
        const [answer] = await once(sendRequest({ port, host: "127.0.0.1", path, headers }).end(), "response");
        return answer.resume().statusCode;
      };
      expect(await ask("/auth/session")).toBe(status);
      expect(await ask("/members")).toBe(app === unguarded ? 200 : 401);
      server.close();
    }
    vi.unstubAllEnvs();
    expect(logged).toEqual([]);
  });

  it("h3 1: answers methods that a Request cannot have with 405, with and without a guard in front", async () => {
    const { handler, guard } = createAuth(config);
    const endpoints = createApp().use("/auth", eventHandler(handler));
    for (const app of [endpoints, createApp().use(eventHandler(guard)).use(endpoints)]) {
      const server = createServer(toNodeListener(app)).listen(0, "127.0.0.1");
      await once(server, "listening");
      const request = sendRequest({
        port: Object(server.address()).port,
        path: "/auth/session",
        method: "TRACE",
      }).end();
      const [{ statusCode }] = await once(request, "response");
      expect(statusCode).toBe(405);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("passes the event to a configuration function", async () => {
    const { auth } = createAuth((event) => ({ ...config, secret: String(Object(event?.context).secret) }));
    const app = new H3().get("/", async (event) => {
      Object.assign(event.context, { secret });
      return Response.json(await auth(event));
    });
    const headers = { cookie: await cookieOf(), host: "localhost" };
    expect(await (await app.request("http://localhost/", { headers })).json()).toMatchObject({ user: { name: "Ann" } });
  });
});
