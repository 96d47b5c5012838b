import { createBrowser } from "@cardea/testing";
import { NextRequest } from "next/server.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { NextAuthConfig } from "./index.ts";

const origin = "http://localhost:3000";
const config: NextAuthConfig = {
  secret: "a secret of more than thirty-two bytes for tests",
  logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  callbacks: { authorized: () => false },
  providers: [
    {
      id: "credentials",
      name: "Password",
      type: "credentials",
      credentials: { username: {} },
      authorize: ({ username }) => ({ id: "7", name: String(username) }),
    },
  ],
};

/** A request as a route handler gets it, and as middleware does: without and with the path that Next was told. */
const inRoute = (path: string) => new NextRequest(`${origin}${path}`, { headers: { host: "localhost:3000" } });
const inMiddleware = (path: string) =>
  new NextRequest(`${origin}${path}`, { headers: { host: "localhost:3000" }, nextConfig: { basePath: "/shop" } });

describe("strippedPath()", () => {
  beforeEach(() => {
    vi.resetModules();
    vi.stubEnv("__NEXT_ROUTER_BASEPATH", "/shop");
  });
  afterEach(() => vi.unstubAllEnvs());

  it("is put back in front of the actions, whose every address has it", async () => {
    const { createAuth } = await import("./index.ts");
    const { handlers } = createAuth(config);
    const asNext = (request: Request) => {
      const path = request.url.replace(`${origin}/shop`, "");
      return handlers[parseMethod(request.method)](new NextRequest(`${origin}${path}`, request));
    };
    const browser = createBrowser(asNext, { origin, follow: "same-origin" });
    const page = await browser.navigate("/shop/api/auth/signin?callbackUrl=/shop/api/auth/session");
    const action = "/shop/api/auth/callback/credentials";
    const back = await browser.submit(page, { action, fields: { username: "Ann" } });
    expect([back.url, await back.json()]).toEqual([
      `${origin}/shop/api/auth/session`,
      expect.objectContaining({ user: expect.objectContaining({ name: "Ann" }) }),
    ]);
    expect((await handlers.GET(inRoute("/auth/session"))).status).toBe(404);
  });

  it("is part of the way back to a guarded page, in middleware and in route handlers, once", async () => {
    const { createAuth } = await import("./index.ts");
    const guarded = createAuth(config).auth(() => new Response("in"));
    for (const request of [inRoute("/members?a=1"), inMiddleware("/shop/members?a=1")]) {
      const answer = await guarded(request, {});
      expect(answer.headers.get("location")).toBe(
        `${origin}/shop/api/auth/signin?callbackUrl=${encodeURIComponent("/shop/members?a=1")}`,
      );
    }
  });

  it("opens the actions, and nothing that looks like them", async () => {
    const { createAuth } = await import("./index.ts");
    const guarded = createAuth(config).auth(() => new Response("in"));
    const open = [inRoute("/api/auth/session"), inMiddleware("/shop/api/auth/session")];
    // Below the application's folder `shop`, which browsers see as /shop/shop.
    const closed = [inRoute("/shop/api/auth/session"), inMiddleware("/shop/shop/api/auth/session"), inRoute("/api")];
    const statuses = async (requests: readonly NextRequest[]) =>
      Promise.all(requests.map(async (request) => (await guarded(request, {})).status));
    expect([await statuses(open), await statuses(closed)]).toEqual([
      [200, 200],
      [302, 302, 302],
    ]);
  });
});

function parseMethod(method: string): "GET" | "POST" {
  return method as "GET" | "POST";
}
