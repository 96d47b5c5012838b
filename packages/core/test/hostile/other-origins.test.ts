import { type AuthConfig, createAuth, customFetch } from "@cardea/core";
import { createBrowser, createScriptedProvider } from "@cardea/testing";
import { afterEach, describe, expect, it, vi } from "vitest";

const SERVER = "https://api.example.com";
const PAGE = "https://app.example.com";

afterEach(() => vi.unstubAllEnvs());

function setUp(overrides: Partial<AuthConfig> = {}, url = SERVER) {
  vi.stubEnv("AUTH_URL", url);
  const lines: string[] = [];
  const op = createScriptedProvider();
  const note = (line: unknown) => void lines.push(String(line));
  const config: AuthConfig = {
    secret: "a secret of more than thirty-two bytes for tests",
    logger: { error: note, warn: note, debug: (message, facts) => note(`${message} ${JSON.stringify(facts)}`) },
    origins: [PAGE],
    providers: [
      {
        ...{ id: "op", name: "Provider", type: "oidc", issuer: op.issuer, clientId: op.clientId },
        ...{ clientSecret: op.clientSecret ?? "", [customFetch]: op.fetch },
      },
      {
        ...{ id: "password", name: "Password", type: "credentials", credentials: { password: {} } },
        authorize: ({ password }) => (password === "correct" ? { id: "7", name: "Ann" } : null),
      },
    ],
    ...overrides,
  };
  const auth = createAuth(config);
  const respond = (request: Request) => auth.handlers.OPTIONS(request);
  const browser = createBrowser(respond, {
    origin: url,
    routes: { [op.issuer]: op.handler, [PAGE]: () => new Response("the page") },
    follow: "all",
  });
  /** What a page of an origin sends, as browsers do. */
  const from = (origin: string, site = "same-site", mode = "cors") => {
    const headers = { origin, "sec-fetch-site": site, "sec-fetch-mode": mode };
    return {
      get: (action: string) => browser.fetch(`/auth/${action}`, { headers }),
      post: (action: string, fields: Record<string, string>, more: Record<string, string> = {}) =>
        browser.fetch(`/auth/${action}`, {
          method: "POST",
          headers: { ...headers, ...more },
          body: new URLSearchParams(fields),
          redirect: "manual",
        }),
      preflight: (action: string, method: string) =>
        respond(
          new Request(`${url}/auth/${action}`, {
            method: "OPTIONS",
            headers: { ...headers, "access-control-request-method": method },
          }),
        ),
    };
  };
  return { auth, browser, config, from, lines };
}

type Visitor = ReturnType<ReturnType<typeof setUp>["from"]>;

async function tokenOf(page: Pick<Visitor, "get">): Promise<string> {
  const { csrfToken } = await (await page.get("csrf")).json();
  return String(csrfToken);
}

const shared = (response: Response) => ({
  origin: response.headers.get("access-control-allow-origin"),
  credentials: response.headers.get("access-control-allow-credentials"),
  vary: response.headers.get("vary"),
});
const OPEN = { origin: PAGE, credentials: "true", vary: "Origin" };
const CLOSED = { origin: null, credentials: null, vary: "Origin" };
const SCRIPT = { "x-auth-return-redirect": "1" };

describe("the option origins", () => {
  it("lets a page of a listed origin sign in, read, update and sign out with scripts", async () => {
    const { from } = setUp({
      callbacks: {
        jwt: ({ token, trigger, session }) => (trigger === "update" ? { ...token, seen: session } : token),
        session: ({ session, token }) => ({ ...session, seen: token.seen }),
      },
    });
    const page = from(PAGE);
    expect(shared(await page.get("providers"))).toEqual(OPEN);
    const fields = { password: "correct", callbackUrl: `${PAGE}/members` };
    const signedIn = await page.post("callback/password", { ...fields, csrfToken: await tokenOf(page) }, SCRIPT);
    expect(shared(signedIn)).toEqual(OPEN);
    expect(await signedIn.json()).toEqual({ url: `${PAGE}/members` });
    const read = await page.get("session");
    expect([shared(read), await read.json()]).toMatchObject([OPEN, { user: { name: "Ann" } }]);
    const updated = await page.post("session", { csrfToken: await tokenOf(page), data: "new" });
    expect([shared(updated), await updated.json()]).toMatchObject([OPEN, { seen: "new" }]);
    const left = await page.post("signout", { csrfToken: await tokenOf(page), callbackUrl: PAGE }, SCRIPT);
    expect(await left.json()).toEqual({ url: `${PAGE}/` });
    expect(await (await page.get("session")).json()).toBeNull();
  });

  it("lets a form of a listed origin start a sign-in that leads back to it", async () => {
    const { browser, from } = setUp();
    const csrfToken = await tokenOf(from(PAGE));
    const form = from(PAGE, "same-site", "navigate");
    const begun = await form.post("signin/op", { csrfToken, callbackUrl: `${PAGE}/members` });
    const back = await browser.navigate(begun.headers.get("location") ?? "");
    expect([back.url, await back.text()]).toEqual([`${PAGE}/members`, "the page"]);
  });

  it.each([
    ["GET", "csrf"],
    ["GET", "providers"],
    ["GET", "session"],
    ["POST", "session"],
    ["POST", "signin/op"],
    ["POST", "signin"],
    ["POST", "signout"],
    ["POST", "callback/password"],
  ])("answers the preflight of %s %s, for listed origins only", async (method, action) => {
    const { from } = setUp();
    const answer = await from(PAGE).preflight(action, method);
    expect([answer.status, shared(answer)]).toEqual([204, OPEN]);
    expect(answer.headers.get("access-control-allow-methods")).toBe(method);
    expect(answer.headers.get("access-control-allow-headers")).toBe("content-type, x-auth-return-redirect");
    for (const other of ["https://evil.example", "https://www.example.com", "http://app.example.com", "null"]) {
      const refused = await from(other).preflight(action, method);
      expect([refused.status, shared(refused)]).toEqual([405, CLOSED]);
    }
  });

  it.each([
    ["POST", "callback/op"],
    ["POST", "callback/unknown"],
    ["POST", "confirm-address"],
    ["GET", "webauthn-options"],
    ["GET", "signin"],
    ["GET", "error"],
    ["GET", "nothing"],
    ["DELETE", "session"],
  ])("does not open %s %s", async (method, action) => {
    const { from } = setUp();
    const answer = await from(PAGE).preflight(action, method);
    expect([answer.status >= 400, answer.headers.get("access-control-allow-origin")]).toEqual([true, null]);
    if (method === "GET") expect((await from(PAGE).get(action)).headers.get("access-control-allow-origin")).toBeNull();
  });

  it.each([
    ["an origin that is not listed", "https://www.example.com", "same-site"],
    ["another port", `${PAGE}:8443`, "same-site"],
    ["another scheme", "http://app.example.com", "cross-site"],
    ["a longer name", `${PAGE}.evil.example`, "cross-site"],
    ["a listed origin that the browser calls cross-site", PAGE, "cross-site"],
    ["a hidden origin", "null", "same-site"],
  ])("rejects %s, though the token fits, and names both origins", async (_, origin, site) => {
    const { from, browser, lines } = setUp();
    const csrfToken = await tokenOf({ get: (action) => browser.fetch(`/auth/${action}`) });
    const refused = await from(origin, site).post("callback/password", { password: "correct", csrfToken });
    expect(refused.headers.getSetCookie().join()).not.toContain("session-token");
    expect(await (await browser.fetch("/auth/session")).json()).toBeNull();
    expect(lines.join("\n")).toContain(SERVER);
    expect(lines.join("\n")).toContain(origin === "null" ? "hides its origin" : origin);
  });

  it("rejects a listed origin without the token, or with that of another browser", async () => {
    const { from, browser } = setUp();
    const stolen = await tokenOf(setUp().from(PAGE));
    await tokenOf(from(PAGE));
    for (const csrfToken of ["", stolen]) {
      await from(PAGE).post("callback/password", { password: "correct", csrfToken });
      expect(await (await browser.fetch("/auth/session")).json()).toBeNull();
    }
  });

  it("rejects the other forms of a listed origin", async () => {
    const { from, lines } = setUp();
    const csrfToken = await tokenOf(from(PAGE));
    const refused = await from(PAGE).post("confirm-address", { csrfToken });
    expect(refused.status).toBe(403);
    expect(lines.join("\n")).toContain("is not open to pages of `origins`");
  });

  it("leads to listed origins only", async () => {
    const { from, browser } = setUp();
    for (const callbackUrl of ["https://www.example.com/", `${PAGE}.evil.example/`, `${PAGE}//x`, `${PAGE}:1/`]) {
      const csrfToken = await tokenOf(from(PAGE));
      const answer = await from(PAGE).post("signout", { csrfToken, callbackUrl }, SCRIPT);
      expect(await answer.json()).toEqual({ url: SERVER });
    }
    const page = await browser.navigate(`/auth/signin?callbackUrl=${PAGE}/members`);
    expect(page.headers.get("content-security-policy")).toContain(`https: ${PAGE};`);
    const signedIn = await browser.submit(page, { action: "/auth/callback/password", fields: { password: "correct" } });
    expect(signedIn.url).toBe(`${PAGE}/members`);
  });

  it("lets preflights of endpoints through a guard, and nothing else", async () => {
    const { auth } = setUp({ callbacks: { authorized: ({ auth }) => auth !== null } });
    const guarded = auth.auth(() => new Response("through"));
    const ask = (path: string) => guarded(new Request(`${SERVER}${path}`, { method: "OPTIONS" }));
    expect(await (await ask("/auth/session")).text()).toBe("through");
    for (const path of ["/members", "/auth/session/x", "/auth", "/auth/"]) expect((await ask(path)).status).toBe(401);
  });

  it("changes nothing where it is not set", async () => {
    const { from, auth } = setUp({ origins: undefined, callbacks: { authorized: () => false } });
    const read = await from(PAGE).get("session");
    expect([...read.headers.keys()].filter((name) => /^(?:vary|access)/.test(name))).toEqual([]);
    expect((await from(PAGE).preflight("session", "GET")).status).toBe(405);
    const guarded = auth.auth(() => new Response("through"));
    expect((await guarded(new Request(`${SERVER}/auth/session`, { method: "OPTIONS" }))).status).toBe(401);
  });

  it("says once that a page of another origin may not read the answers", async () => {
    const { from, lines } = setUp();
    for (let n = 0; n < 2; n++) expect(shared(await from("https://www.example.com").get("session"))).toEqual(CLOSED);
    const told = lines.filter((line) => line.includes("unlisted-origin"));
    expect(told).toEqual([expect.stringMatching(/https:\/\/www\.example\.com .*https:\/\/api\.example\.com/)]);
  });
});

describe("the option origins at start", () => {
  it.each([
    ["a wildcard", "https://*.example.com", /wildcards are not supported/],
    ["a path", `${PAGE}/`, /as browsers write it: https:\/\/app\.example\.com/],
    ["capitals", "https://APP.example.com", /as browsers write it/],
    ["the default port", `${PAGE}:443`, /as browsers write it/],
    ["no origin", "app.example.com", /must be an origin such as/],
    ["another kind of URL", "file:///index.html", /must be an origin such as/],
    ["null", "null", /must be an origin such as/],
    ["another scheme", "http://app.example.com", /scheme of AUTH_URL/],
    ["another site", "https://app.example.org", /another site than AUTH_URL \(https:\/\/api\.example\.com\)/],
    ["a top-level domain", "https://com", /another site/],
  ])("rejects %s", (_, origin, message) => {
    expect(() => setUp({ origins: [PAGE, origin] })).toThrow(message);
    expect(() => setUp({ origins: [PAGE, origin] })).toThrow(/origins\.1/);
  });

  it.each([
    ["https://a.github.io", "https://b.github.io"],
    ["https://a.example.co.uk", "https://b.co.uk"],
    ["https://app.localhost:3000", "https://api.localhost:3000"],
    ["http://127.0.0.1:3000", "http://127.0.0.2:3000"],
    ["http://127.0.0.1:3000", "http://localhost:3000"],
    ["http://[::1]:3000", "http://[::2]:3000"],
    ["https://example.com", "https://example.com.evil.example"],
  ])("knows that %s and %s are two sites", (url, origin) => {
    expect(() => setUp({ origins: [origin] }, url)).toThrow(/another site/);
  });

  it.each([
    ["http://localhost:3000", "http://localhost:5173"],
    ["http://127.0.0.1:3000", "http://127.0.0.1:5173"],
    ["https://example.com", "https://app.example.com"],
    ["https://api.example.co.uk", "https://app.example.co.uk:8443"],
    ["https://api.shop.github.io", "https://shop.github.io"],
    ["https://intranet", "https://intranet:8443"],
  ])("knows that %s and %s are one site", (url, origin) => {
    expect(() => setUp({ origins: [origin] }, url)).not.toThrow();
  });

  it("requires AUTH_URL, and a list of strings", () => {
    const { config } = setUp();
    vi.stubEnv("AUTH_URL", "");
    expect(() => createAuth(config)).toThrow(/origins`? requires AUTH_URL/);
    expect(() => setUp({ origins: [1] as unknown as string[] })).toThrow(/origins\.0.* must be a string/);
    expect(() => setUp({ origins: PAGE as unknown as string[] })).toThrow(/must be a list of origins/);
    expect(() => setUp({ origins: [] })).not.toThrow();
  });
});
