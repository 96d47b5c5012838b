/** The recipe for Astro in docs/frameworks.md: its route and its middleware, called with a context. */
import { createBrowser } from "@cardea/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { dueSession, ENVIRONMENT, expectInDocumentation, ORIGIN, sessionCookies } from "./recipe.ts";

for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
const { signOut } = await import("./astro/src/auth.ts");
const { ALL, prerender } = await import("./astro/src/pages/auth/[...auth].ts");
const { onRequest } = await import("./astro/src/middleware.ts");

/** The middleware before every route, as Astro runs it. */
async function handle(request: Request, isPrerendered = false): Promise<Response> {
  const context = { request, isPrerendered, locals: { session: null } };
  const { pathname } = new URL(request.url);
  return onRequest(context, async () => {
    if (pathname.startsWith("/auth/")) return ALL(context);
    return pathname === "/leave" ? signOut(request) : Response.json(context.locals.session);
  });
}

const ask = (path: string, cookie = "") =>
  new Request(`${ORIGIN}${path}`, { headers: { host: "localhost:3000", cookie } });

beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe("the recipe for Astro", () => {
  it("is what the documentation shows", () =>
    expectInDocumentation("astro", ["src/auth.ts", "src/pages/auth/[...auth].ts", "src/middleware.ts"]));

  it("answers the endpoints when they are asked, and starts a sign-in", async () => {
    expect(prerender).toBe(false);
    expect(await (await handle(ask("/auth/session"))).json()).toBeNull();
    const browser = createBrowser(handle, { origin: ORIGIN });
    const page = await browser.navigate("/auth/signin");
    const { redirectsTo } = await browser.submit(page, { action: "/auth/signin/github", follow: "none" });
    expect(redirectsTo).toContain("https://github.com/login/oauth/authorize?");
  });

  it("hands the session to pages, and renews it", async () => {
    const cookie = await dueSession((time) => vi.setSystemTime(time));
    const answer = await handle(ask("/account", cookie));
    expect([await answer.json(), sessionCookies(answer)]).toMatchObject([{ user: { name: "Ann" } }, ["renewed"]]);
  });

  it("does not renew a session that the response ends", async () => {
    const cookie = await dueSession((time) => vi.setSystemTime(time));
    expect(sessionCookies(await handle(ask("/leave", cookie)))).toEqual(["ended"]);
  });

  it("has no session and sets no cookie while a page is prerendered", async () => {
    const cookie = await dueSession((time) => vi.setSystemTime(time));
    const answer = await handle(ask("/account", cookie), true);
    expect([await answer.json(), sessionCookies(answer)]).toEqual([null, []]);
  });

  it("rejects a path that Astro would decode once more", async () => {
    expect((await handle(ask("/open/%252e%252e/account"))).status).toBe(400);
  });
});
