import { Auth, createAuth } from "@cardea/core";
import { createBrowser, createScriptedProvider } from "@cardea/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AuthConfig } from "../model/config.ts";
import { customFetch } from "../model/oauth-provider.ts";

const ORIGIN = "https://app.example.com";
const SECRET = "a secret of more than thirty-two bytes for tests";

function setUp(overrides: Partial<AuthConfig> = {}) {
  const op = createScriptedProvider();
  const config: AuthConfig = {
    secret: SECRET,
    trustHost: true,
    providers: [
      {
        id: "op",
        name: "Provider",
        type: "oidc",
        issuer: op.issuer,
        clientId: op.clientId,
        clientSecret: op.clientSecret ?? "",
        [customFetch]: op.fetch,
      },
      {
        id: "credentials",
        name: "Password",
        type: "credentials",
        credentials: { username: {}, password: { type: "password" } },
        authorize: ({ username, password }) =>
          password === "correct" ? { id: "7", name: String(username), email: "ann@example.com" } : null,
      },
    ],
    ...overrides,
  };
  const browser = createBrowser((request) => Auth(request, config), {
    origin: ORIGIN,
    routes: { [op.issuer]: op.handler },
  });
  return { op, config, browser };
}

/** A configuration as JavaScript may give it. */
function parseConfig(config: unknown): AuthConfig {
  return config as AuthConfig;
}

describe("Auth()", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("resolves a configuration once, also for several first requests at the same time", async () => {
    let resolved = 0;
    const provider = () => {
      resolved += 1;
      return { id: "mail", name: "Mail", type: "credentials", credentials: {}, authorize: () => null } as const;
    };
    const config: AuthConfig = { ...setUp().config, providers: [provider] };
    const ask = () => Auth(new Request(`${ORIGIN}/auth/providers`), config);
    for (const { status } of await Promise.all([ask(), ask(), ask()])) expect(status).toBe(200);
    expect((await ask()).status).toBe(200);
    expect(resolved).toBe(1);
  });

  it("tells the logger of a configuration that is bad otherwise", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const said: string[] = [];
    const logger = { prefix: "own: ", error: (error: Error) => said.push(`${logger.prefix}${error.message}`) };
    const config = parseConfig({ providers: "none", logger });
    for (let n = 1; n <= 2; n++) {
      expect((await Auth(new Request(`${ORIGIN}/auth/session`), config)).status).toBe(500);
      expect(said).toEqual(Array(n).fill(expect.stringMatching(/^own: The configuration has a problem:/)));
    }
    expect(printed).not.toHaveBeenCalled();
  });

  it.each([
    ["no logger", undefined],
    ["a string", "console"],
    ["null", null],
    ["no function", { error: "x" }],
  ])("tells the console where there is %s", async (_, logger) => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const answer = await Auth(new Request(`${ORIGIN}/auth/session`), parseConfig({ providers: "none", logger }));
    expect([answer.status, printed.mock.calls.length]).toEqual([500, 1]);
  });

  it.each([
    ["text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"],
    ["application/json", "application/json"],
    ["*/*", "application/json"],
    [undefined, "application/json"],
  ])("answers 500 where the configuration is broken: accept %s gets %s", async (accept, type) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const headers: HeadersInit = accept === undefined ? {} : { accept };
    for (const path of ["/auth/session", "/auth/signin", "/auth/callback/op", "/elsewhere"]) {
      const answer = await Auth(
        new Request(`${ORIGIN}${path}`, { headers }),
        parseConfig({ providers: "secret value" }),
      );
      const body = await answer.text();
      expect([answer.status, answer.headers.get("content-type")]).toEqual([500, type]);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("cache-control")).toContain("no-store");
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(body).not.toContain("secret value");
      if (type === "application/json") expect(JSON.parse(body)).toEqual({ message: expect.any(String) });
      else expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    }
    const head = await Auth(new Request(`${ORIGIN}/auth/session`, { method: "HEAD" }), parseConfig({}));
    expect([head.status, await head.text()]).toEqual([500, ""]);
  });

  it("tells the logger of the configuration that a function returned", async () => {
    const said: string[] = [];
    const logger = { error: (error: Error) => said.push(error.message) };
    const { handlers } = createAuth(() => parseConfig({ providers: "none", logger }));
    expect((await handlers.GET(new Request(`${ORIGIN}/auth/session`))).status).toBe(500);
    expect(said).toEqual([expect.stringMatching(/^The configuration has a problem:/)]);
  });

  it("shows an unknown provider the error page without a value, and HEAD what GET is", async () => {
    const { browser, config } = setUp();
    const visit = await browser.navigate("/auth/signin/unheard-of");
    expect([visit.status, visit.redirectsTo]).toEqual([302, `${ORIGIN}/auth/error`]);
    expect((await Auth(new Request(`${ORIGIN}/auth/error`), config)).status).toBe(200);
    const head = await Auth(new Request(`${ORIGIN}/auth/session`, { method: "HEAD" }), config);
    expect(head.headers.get("content-type")).toBe("application/json");
    expect(head.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("shows its own error page where the application's asks for a session", async () => {
    const errors: Error[] = [];
    const logger = { error: (error: Error) => void errors.push(error), warn: () => {}, debug: () => {} };
    const config = { pages: { error: "/oops" }, callbacks: { signIn: () => false }, logger };
    const fail = async (callbackUrl: string) => {
      const { browser } = setUp(config);
      const page = await browser.navigate(`/auth/signin?callbackUrl=${callbackUrl}`);
      const fields = { username: "ann", password: "correct" };
      return browser.submit(page, { action: "/auth/callback/credentials", fields });
    };
    const looping = await fail("/oops");
    expect([looping.status, looping.redirectsTo]).toEqual([403, undefined]);
    expect(errors.map(({ name }) => name)).toEqual(["ErrorPageLoop"]);
    expect((await fail("/dash")).redirectsTo).toBe(`${ORIGIN}/oops?error=AccessDenied`);
  });

  it("signs in through an OpenID Provider, reads the session and signs out", async () => {
    const { browser } = setUp();
    const page = await browser.navigate("/auth/signin?callbackUrl=/dash");
    expect(page.status).toBe(200);
    const back = await browser.submit(page, { action: "/auth/signin/op", follow: "all" });
    const hops = back.hops.map((hop) => `${hop.method} ${hop.status} ${new URL(hop.url).pathname}`);
    expect(hops).toEqual([
      "POST 302 /auth/signin/op",
      "GET 303 /authorize",
      "GET 302 /auth/callback/op",
      "GET 404 /dash",
    ]);
    const session = await browser.fetch("/auth/session");
    expect(await session.json()).toMatchObject({ user: { email: expect.any(String) } });
    expect(session.headers.getSetCookie()).toEqual([]);
  });
});
