/** What is typed on the built-in sign-in page with several methods: kept sealed, the same for everyone, and never a password. */

import { type AuthConfig, createAuth } from "@cardea/core";
import { createBrowser, createMemoryAdapter, type Visit } from "@cardea/testing";
import { describe, expect, it } from "vitest";

const ORIGIN = "https://app.example.com";
const ANN = { id: "ann", name: "Ann", email: "ann@example.com", emailVerified: new Date(0), image: null };

function start(config: Partial<AuthConfig> = {}) {
  const links: string[] = [];
  const { handlers } = createAuth({
    ...{ secret: "a secret of more than thirty-two bytes for tests", trustHost: true, session: { strategy: "jwt" } },
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    adapter: createMemoryAdapter({ keepIds: true, seed: { users: [ANN] } }).adapter,
    providers: [
      {
        ...{ id: "password", name: "Password", type: "credentials" },
        credentials: { email: { type: "email" }, password: {} },
        authorize: ({ email, password }) => (email === ANN.email && password === "right" ? ANN : null),
      },
      {
        ...{ id: "email", name: "E-mail", type: "email", from: "a@example.com", maxAge: 600 },
        sendVerificationRequest: ({ url }) => void links.push(url),
      },
    ],
    ...config,
  });
  const browser = createBrowser((request) => handlers.GET(request), { origin: ORIGIN, follow: "all" });
  const open = (path = "/auth/signin?callbackUrl=/members") => browser.navigate(path);
  const type = async (identifier: string) =>
    browser.submit(await open(), { action: "/auth/signin", fields: { identifier } });
  return { browser, open, type, links, kept: () => browser.cookies.get("__Host-cardea.identifier") };
}

const textOf = (visit: Visit) => visit.clone().text();

describe("the sign-in page with several methods", () => {
  it("leads to the methods for what was typed, which is in no URL and readable in no cookie", async () => {
    const { type, kept } = start();
    const page = await type("ann@example.com");
    expect(page.url).toBe(`${ORIGIN}/auth/signin`);
    expect(await textOf(page)).toContain("<bdi>ann@example.com</bdi>");
    expect(JSON.stringify(kept())).not.toMatch(/ann/);
    expect(kept()).toMatchObject({ httpOnly: true, secure: true });
  });

  it("shows the same to known and unknown addresses, also after a wrong password", async () => {
    const pagesFor = async (address: string) => {
      const { browser, type } = start();
      const methods = await type(address);
      const fields = { password: "wrong" };
      const wrong = await browser.submit(methods, { action: "/auth/callback/password", fields });
      const sent = await browser.submit(wrong, { action: "/auth/signin/email" });
      const texts = await Promise.all([methods, wrong, sent].map(textOf));
      return texts.map((text) =>
        text.replaceAll(address, "").replace(/nonce="[^"]*"|name="csrfToken" value="\w+"/g, ""),
      );
    };
    expect(await pagesFor("ann@example.com")).toEqual(await pagesFor("who@example.net"));
  });

  it("signs in with a password, back to where the visitor came from, and forgets what was typed", async () => {
    const { browser, type, kept } = start();
    const fields = { password: "right" };
    const visit = await browser.submit(await type("ann@example.com"), { action: "/auth/callback/password", fields });
    expect(visit.url).toBe(`${ORIGIN}/members`);
    expect(kept()).toBeUndefined();
  });

  it("keeps the address after a wrong password, and never the password", async () => {
    const { browser, type } = start();
    const fields = { password: "very wrong" };
    const visit = await browser.submit(await type("ann@example.com"), { action: "/auth/callback/password", fields });
    const text = await textOf(visit);
    expect(text).toContain("<bdi>ann@example.com</bdi>");
    expect(text).toMatch(/name="password"[^>]*aria-invalid="true"/);
    expect(`${text} ${visit.url}`).not.toContain("very wrong");
  });

  it("names the address after a link was sent, sends it again, and lets it be corrected", async () => {
    const { browser, type, links } = start();
    const sent = await browser.submit(await type("ann@exmaple.com"), { action: "/auth/signin/email" });
    expect(sent.url).not.toContain("exmaple");
    expect(await textOf(sent)).toContain("<bdi>ann@exmaple.com</bdi>");
    const again = await browser.submit(sent, { action: "/auth/signin/email" });
    expect(links).toHaveLength(2);
    const edited = await browser.submit(again, { action: "/auth/signin" });
    expect(await textOf(edited)).toMatch(/name="identifier"[^>]* value="ann@exmaple.com"/);
  });

  it("names no address from the query, nor in another browser", async () => {
    const { open } = start();
    for (const path of [
      "verify-request?provider=email&email=a@b.example",
      "signin?identifier=a@b.example&email=a@b.example",
    ])
      expect(await textOf(await open(`/auth/${path}`))).not.toContain("a@b.example");
  });

  it("keeps nothing from another site's form, without a token, or where the application has its own page", async () => {
    const { browser, kept } = start();
    const headers = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    await browser.navigate("/auth/signin", { form: { identifier: "a@b.example" }, headers });
    await browser.navigate("/auth/callback/password", { form: { email: "a@b.example", password: "x" } });
    expect(kept()).toBeUndefined();
    const own = start({ pages: { signIn: "/welcome" } });
    const { csrfToken } = await (await own.browser.fetch("/auth/csrf")).json();
    await own.browser.navigate("/auth/signin", { form: { csrfToken, identifier: "a@b.example" } });
    expect(own.kept()).toBeUndefined();
  });

  it.each(["", " ", "x".repeat(321)])("keeps nothing that no form could have sent: %#", async (identifier) => {
    const { browser, kept } = start();
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    await browser.navigate("/auth/signin", { form: { csrfToken, identifier } });
    expect(kept()).toBeUndefined();
  });

  it.each([
    '"><script>x</script>@example.com',
    "\u202e@example.com",
    `${"x".repeat(300)}@example.com`,
    "{host}@example.com",
  ])("H293 stays whole with %j", async (address) => {
    const { type } = start();
    const text = await textOf(await type(address));
    expect(text).not.toContain("<script>x");
    expect(text).toContain('<div class="who"><bdi>');
  });

  it("shows one method alone below its own URL", async () => {
    const { open } = start();
    expect(await textOf(await open("/auth/signin/email"))).toMatch(
      /action="[^"]*\/auth\/signin\/email"[\s\S]*name="email"/,
    );
    expect(await textOf(await open("/auth/signin/password"))).not.toContain("/auth/signin/email");
  });
});

describe("theme.lastMethod", () => {
  it("marks the method of the last sign-in until it is forgotten, and sets no cookie without the option", async () => {
    const cookie = "__Host-cardea.last-method";
    const signIn = async ({ browser, type }: ReturnType<typeof start>) => {
      const fields = { password: "right" };
      await browser.submit(await type("ann@example.com"), { action: "/auth/callback/password", fields });
      return browser.cookies.get(cookie);
    };
    expect(await signIn(start())).toBeUndefined();
    const app = start({ theme: { lastMethod: true } });
    expect(await signIn(app)).toMatchObject({ value: "password" });
    const { browser, open } = app;
    await browser.submit(await browser.navigate("/auth/signout"), { action: "/auth/signout" });
    const page = await open();
    expect(await textOf(page)).toContain("Forget which method I used last");
    await browser.submit(page, { button: "Forget which method I used last" });
    expect(browser.cookies.get(cookie)).toBeUndefined();
  });
});
