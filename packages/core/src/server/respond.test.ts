import { createBrowser, createScriptedProvider } from "@cardea/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Auth } from "./auth.ts";
import type { AuthConfig } from "./model/config.ts";
import { customFetch } from "./model/provider.ts";

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
