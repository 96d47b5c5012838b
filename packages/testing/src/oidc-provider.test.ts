import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type Browser, createBrowser } from "./browser.ts";
import { personas, type RunningOidcProvider, startOidcProvider } from "./oidc-provider.ts";
import { type CodeFlow, runCodeFlow } from "./plain-client.ts";

const redirectUri = "http://localhost:3000/auth/callback/op";

let op: RunningOidcProvider;

beforeAll(async () => {
  op = await startOidcProvider({ redirectUris: [redirectUri, "http://localhost:3001/cb"] });
});
afterAll(() => op.close());

function openBrowser(): Browser {
  const routes = { [op.issuer]: (request: Request) => fetch(request) };
  return createBrowser(async () => new Response("application"), {
    origin: "http://localhost:3000",
    routes,
    follow: "all",
  });
}

type Visit = Awaited<ReturnType<Browser["navigate"]>>;

/** Signs in as a person would: opens the URL, does what `act` does on the page, ends at the application. */
function flowWith(
  browser: Browser,
  act: (page: Visit) => Promise<Visit>,
  params: Record<string, string> = {},
): CodeFlow {
  return {
    ...op,
    redirectUri,
    fetch,
    params,
    visit: async (url) => {
      const page = await browser.navigate(url, { initiator: "http://localhost:3000" });
      const end = page.url.startsWith(op.issuer) ? await act(page) : page;
      return new URL(end.url).searchParams;
    },
  };
}

function continueAs(browser: Browser, fields: Record<string, string> = {}) {
  return (page: Visit) => browser.submit(page, { button: "Continue", fields });
}

describe("startOidcProvider()", () => {
  it("signs a user in, with claims in the ID token", async () => {
    const browser = openBrowser();
    const { claims, userinfo, callback } = await runCodeFlow(
      flowWith(browser, continueAs(browser, { login: "ada-1815" })),
    );
    expect(claims).toMatchObject({ ...personas[0], iss: op.issuer, aud: "demo" });
    expect(userinfo).toEqual(personas[0]);
    expect(callback.get("iss")).toBe(op.issuer);
  });

  it("gives no address where a person has none, and no more than the scope asks for", async () => {
    const browser = openBrowser();
    const { claims } = await runCodeFlow(flowWith(browser, continueAs(browser, { login: "nemo-1870" })));
    expect(claims).toMatchObject({ name: "Captain Nemo" });
    expect(claims).not.toHaveProperty("email");
    const other = openBrowser();
    const narrow = await runCodeFlow(flowWith(other, continueAs(other), { scope: "openid" }));
    expect(narrow.userinfo).toEqual({ sub: "ada-1815" });
  });

  it("lets a person type a login, known or not", async () => {
    const known = openBrowser();
    const ada = await runCodeFlow(
      flowWith(known, continueAs(known, { login: "alan-1912", other: " ADA@example.com " })),
    );
    expect(ada.claims.sub).toBe("ada-1815");
    const unknown = openBrowser();
    const { claims } = await runCodeFlow(flowWith(unknown, continueAs(unknown, { other: "Mary Shelley" })));
    expect(claims).toMatchObject({
      sub: "typed-Mary Shelley",
      email: "Mary%20Shelley@example.com",
      email_verified: false,
    });
  });

  it("sends back access_denied when a person cancels", async () => {
    const browser = openBrowser();
    const cancel = (page: Visit) => browser.submit(page, { button: "Cancel" });
    await expect(runCodeFlow(flowWith(browser, cancel))).rejects.toThrow(/error=access_denied.*state=the-state/);
  });

  it("remembers the browser, asks all the same, and lets another account in", async () => {
    const browser = openBrowser();
    await runCodeFlow(flowWith(browser, continueAs(browser, { login: "ada-1815" })));
    const again = async (page: Visit): Promise<Visit> => {
      const text = await page.clone().text();
      expect(text).toContain("Ada Lovelace");
      expect(text).not.toContain("Alan Turing");
      return browser.submit(page, { button: "Continue" });
    };
    expect((await runCodeFlow(flowWith(browser, again))).claims.sub).toBe("ada-1815");
    const other = async (page: Visit): Promise<Visit> => {
      const chooser = await browser.submit(page, { button: "Use another account" });
      const change = await browser.submit(chooser, { button: "Continue", fields: { login: "alan-1912" } });
      return browser.submit(change); // the provider ends the old session by a page that posts to itself
    };
    expect((await runCodeFlow(flowWith(browser, other))).claims.sub).toBe("alan-1912");
  });

  it("respects prompt and login_hint", async () => {
    const browser = openBrowser();
    const never = () => Promise.reject(new Error("a page was shown"));
    await expect(runCodeFlow(flowWith(browser, never, { prompt: "none" }))).rejects.toThrow("error=login_required");
    const hinted = await runCodeFlow(flowWith(browser, continueAs(browser), { login_hint: "alan" }));
    expect(hinted.claims.sub).toBe("alan-1912");
    expect((await runCodeFlow(flowWith(browser, never, { prompt: "none" }))).claims.sub).toBe("alan-1912");
    for (const prompt of ["login", "select_account", "login consent"]) {
      const chooses = async (page: Visit): Promise<Visit> => {
        expect(await page.clone().text()).toContain("Choose an account");
        return browser.submit(page, { button: "Continue" });
      };
      expect((await runCodeFlow(flowWith(browser, chooses, { prompt }))).claims.sub).toBe("alan-1912");
    }
  });

  it("shows pages without scripts or anything from elsewhere, under a strict policy", async () => {
    const browser = openBrowser();
    await runCodeFlow(
      flowWith(browser, async (page) => {
        const text = await page.clone().text();
        expect(text).not.toMatch(/<script|https?:\/\/|@import/);
        expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
        expect(page.headers.get("content-security-policy")).toContain(
          "form-action 'self' http://localhost:3000 http://localhost:*;",
        );
        return continueAs(browser)(page);
      }),
    );
  });

  it("says so when an account is missing, and when a sign-in is over", async () => {
    const browser = openBrowser();
    await runCodeFlow(
      flowWith(browser, async (page) => {
        const again = await browser.submit(page, { button: "Continue", fields: { login: null } });
        expect([again.status, await again.clone().text()]).toEqual([400, expect.stringContaining('role="alert"')]);
        const end = await continueAs(browser)(again);
        const over = await browser.navigate(page.url);
        expect([over.status, await over.text()]).toEqual([400, expect.stringContaining("This sign-in is over")]);
        return end;
      }),
    );
  });

  it("insists on PKCE and on known redirect URIs", async () => {
    const browser = openBrowser();
    const weak = flowWith(browser, continueAs(browser), { code_challenge_method: "plain" });
    await expect(runCodeFlow(weak)).rejects.toThrow("invalid_request");
    const page = await browser.navigate(
      `${op.issuer}/auth?client_id=demo&response_type=code&scope=openid&redirect_uri=http://localhost:9/`,
    );
    expect([page.status, page.headers.get("content-security-policy")]).toEqual([
      400,
      expect.stringContaining("default-src 'none'"),
    ]);
    expect(await page.text()).not.toMatch(/<script|https?:\/\/[^l]/);
  });

  it("signs out", async () => {
    const browser = openBrowser();
    const { tokens } = await runCodeFlow(flowWith(browser, continueAs(browser)));
    const page = await browser.navigate(`${op.issuer}/session/end?id_token_hint=${tokens.id_token}`);
    const done = await browser.submit(page, { button: "Sign out" });
    expect(await done.text()).toContain("Signed out");
    await expect(runCodeFlow(flowWith(browser, () => Promise.reject(), { prompt: "none" }))).rejects.toThrow(
      "login_required",
    );
  });
});

describe("startOidcProvider() options", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("starts quietly, for clients and people of one's own", async () => {
    const said = [vi.spyOn(console, "warn"), vi.spyOn(console, "info")];
    const redirectUris = ["http://localhost:4000/cb"];
    const users = [{ sub: "1", name: "One", preferred_username: "one" }];
    const own = await startOidcProvider({ host: "localhost", users, clients: [{ clientId: "app", redirectUris }] });
    expect([own.clientId, own.clientSecret, own.users]).toEqual(["app", "", users]);
    expect(new URL(own.issuer).hostname).toBe("localhost");
    expect((await fetch(`${own.issuer}/.well-known/openid-configuration`)).status).toBe(200);
    await own.close();
    await expect(fetch(own.issuer)).rejects.toThrow();
    for (const spy of said) expect(spy).not.toHaveBeenCalled();
  });

  it("answers to its own name only", async () => {
    const { port } = new URL(op.issuer);
    expect((await fetch(`http://localhost:${port}/.well-known/openid-configuration`)).status).toBe(421);
  });

  it("does not start in production", async () => {
    vi.stubEnv("NODE_ENV", "production");
    await expect(startOidcProvider({ redirectUris: [redirectUri] })).rejects.toThrow("NODE_ENV");
  });

  it.each([
    [{ host: "0.0.0.0", redirectUris: [redirectUri] }, "host"],
    [{ issuer: "https://op.example.com", redirectUris: [redirectUri] }, "issuer"],
    [{ issuer: "http://localhost:4000/op", redirectUris: [redirectUri] }, "issuer"],
    [{}, "redirectUris"],
  ])("refuses %o", async (options, reason) => {
    await expect(startOidcProvider(options)).rejects.toThrow(reason);
  });

  it("rejects when the port is taken", async () => {
    const port = Number(new URL(op.issuer).port);
    await expect(startOidcProvider({ port, redirectUris: [redirectUri] })).rejects.toMatchObject({
      code: "EADDRINUSE",
      message: `startOidcProvider(): port ${port} is already in use. End the process that uses it, or choose another \`port\`.`,
    });
  });
});
