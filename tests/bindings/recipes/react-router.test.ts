/** The recipe for React Router in docs/frameworks.md, behind React Router's own request handler. */
import { createBrowser } from "@cardea/testing";
import type { ActionFunctionArgs } from "react-router";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createApplication } from "./react-router/application.ts";
import { dueSession, ENVIRONMENT, expectInDocumentation, ORIGIN, sessionCookies } from "./recipe.ts";

for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
const { signOut } = await import("./react-router/app/auth.server.ts");

const handle = createApplication({
  root: await import("./react-router/app/middleware.ts"),
  auth: await import("./react-router/app/routes/auth.ts"),
  account: { ...(await import("./react-router/app/routes/account.ts")), default: () => null },
  leave: { action: ({ request }: ActionFunctionArgs) => signOut(request, { redirectTo: "/" }) },
});
const ask = (path: string, cookie = "", init: RequestInit = {}) =>
  handle(new Request(`${ORIGIN}${path}`, { ...init, headers: { host: "localhost:3000", cookie, ...init.headers } }));

beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe("the recipe for React Router", () => {
  it("is what the documentation shows", () =>
    expectInDocumentation("react-router", [
      "app/auth.server.ts",
      "app/routes/auth.ts",
      "app/middleware.ts",
      "app/routes/account.ts",
    ]));

  it("answers the endpoints, each cookie in a header of its own", async () => {
    const page = await ask("/auth/signin?callbackUrl=/account");
    expect([page.status, page.headers.getSetCookie().length]).toEqual([200, 2]);
    expect(await (await ask("/auth/session")).json()).toBeNull();
    expect((await ask("/auth/nothing")).status).toBe(404);
  });

  it("starts a sign-in by the form of the sign-in page", async () => {
    const browser = createBrowser(handle, { origin: ORIGIN });
    const page = await browser.navigate("/auth/signin");
    const { redirectsTo } = await browser.submit(page, { action: "/auth/signin/github", follow: "none" });
    expect(redirectsTo).toContain("https://github.com/login/oauth/authorize?");
  });

  it.each(["/account", "/%61ccount", "/account.data"])("keeps visitors from %s", async (path) => {
    const answer = await ask(path);
    const text = await answer.text();
    expect(text).not.toContain("name");
    expect(answer.headers.get("location") ?? text).toContain("/auth/signin?callbackUrl=/account");
  });

  it("hands the session to loaders, and renews it, for pages and for data", async () => {
    const cookie = await dueSession((time) => vi.setSystemTime(time));
    for (const path of ["/account", "/account.data"]) {
      const answer = await ask(path, cookie);
      expect([await answer.text(), sessionCookies(answer)]).toEqual([expect.stringContaining("Ann"), ["renewed"]]);
    }
  });

  it("does not renew a session that the response ends", async () => {
    const cookie = await dueSession((time) => vi.setSystemTime(time));
    for (const path of ["/leave", "/leave.data"]) {
      const answer = await ask(path, cookie, { method: "POST", headers: { origin: ORIGIN } });
      expect([path, sessionCookies(answer)]).toEqual([path, ["ended"]]);
    }
  });
});
