import { vault } from "@cardea/vault";
import { describe, expect, it } from "vitest";
import { account } from "../src/index.ts";
import { mailOf, startApplication } from "./open-application.ts";

const github = { userId: "ann", type: "oauth", provider: "github", providerAccountId: "1" } as const;

const password = {
  ...({ id: "password", name: "Password", type: "credentials", credentials: { username: {}, password: {} } } as const),
  authorize: () => ({ id: "ann", email: "ann@example.com" }),
};

async function open(options: Parameters<typeof startApplication>[0] = {}) {
  const app = startApplication(options);
  const ann = app.newBrowser();
  await ann.signIn();
  const page = async () => (await ann.browser.navigate("/auth/account", { initiator: "none" })).text();
  return { app, ann, page };
}

describe("GET account", () => {
  it("shows what the application has, in one page, with the sections of other extensions", async () => {
    const { page, ann } = await open({ accounts: [github] });
    const text = await page();
    const headings = [...text.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, heading]) => heading);
    expect(headings).toEqual(["Profile", "Ways to sign in", "Your sessions", "Your data"]);
    expect(text).toContain("Connect gitlab");
    expect(await ann.data()).toMatchObject({
      status: 200,
      body: { user: { email: "ann@example.com" }, accounts: [{ provider: "github" }], devices: [{ current: true }] },
    });
  });

  it("shows who it belongs to, and since when, as far as the adapter knows; a picture of another site is not loaded", async () => {
    const image = { url: "https://app.example.com/ann.png" };
    const { page, ann } = await open({
      accounts: [github],
      adapt: (adapter) => ({
        ...adapter,
        getUser: async (id) => {
          const user = await adapter.getUser?.(id);
          return user ? { ...user, image: image.url, createdAt: new Date("2026-01-02T12:00:00Z") } : null;
        },
        listAccountsByUserId: async (id) => {
          const all = (await adapter.listAccountsByUserId?.(id)) ?? [];
          return all.map((one) => ({ ...one, createdAt: new Date("2026-03-04T12:00:00Z") }));
        },
      }),
    });
    const text = await page();
    expect(text).toContain('<img class="face" src="/ann.png" alt="">');
    expect(text).toContain("Member since January 2, 2026");
    expect(text).toContain("Connected on March 4, 2026");
    const { body } = await ann.data();
    expect(body).toMatchObject({
      user: { since: "2026-01-02T12:00:00.000Z" },
      accounts: [{ since: expect.any(String) }],
    });
    image.url = "https://cdn.example/ann.png";
    expect(await page()).toContain('<span class="face" aria-hidden="true">A</span>');
  });

  it("shows no token and no secret, in no format", async () => {
    const secrets = { access_token: "secret-access", refresh_token: "secret-refresh", id_token: "secret-id" };
    const { page, ann, app } = await open({ accounts: [{ ...github, ...secrets }] });
    const row = { userId: "ann", type: "password", secret: "secret-hash", createdAt: new Date(), state: null };
    await app.memory.adapter.createCredential(row);
    const file = await (await ann.browser.fetch("/auth/account/export")).text();
    for (const text of [await page(), JSON.stringify(await ann.data()), file]) expect(text).not.toContain("secret-");
    expect(JSON.parse(file)).toMatchObject({ exportedAt: expect.any(String), user: { id: "ann" } });
  });

  it("redirects a visitor to the sign-in page and back, and says so to a program", async () => {
    const visitor = startApplication().newBrowser();
    const answer = await visitor.browser.navigate("/auth/account", { initiator: "none" });
    expect(answer.headers.get("location")).toContain("/auth/signin?callbackUrl=");
    expect(await visitor.data()).toEqual({ status: 401, body: null });
    for (const path of ["nothing", "profile", "remove"])
      expect((await visitor.browser.fetch(`/auth/account/${path}`)).status).toBe(404);
  });

  it("shows the sections that are configured, and disables what belongs to the others", async () => {
    const { page, ann } = await open({ account: { sections: ["data", "profile"] }, accounts: [github] });
    const headings = [...(await page()).matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, heading]) => heading);
    expect(headings).toEqual(["Your data", "Profile"]);
    expect(await ann.post("unlink", { provider: "github", providerAccountId: "1" })).toMatchObject({ status: 404 });
    expect(await ann.post("link", { provider: "github" })).toMatchObject({ status: 404 });
  });

  it("shows the session alone where there is no database, and changes nothing", async () => {
    const app = startApplication({ config: { adapter: undefined, providers: [password] } });
    const ann = app.newBrowser();
    await ann.signIn();
    const page = await ann.browser.navigate("/auth/account", { initiator: "none" });
    const headings = [...(await page.text()).matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, heading]) => heading);
    expect(headings).toEqual(["Your sessions"]);
    expect((await ann.post("remove")).status).toBe(401);
    expect(app.log.filter((line) => line.includes("account-off"))).toHaveLength(1);
  });
});

describe("POST account", () => {
  it("changes the name, and starts a sign-in at another provider", async () => {
    const { app, ann } = await open();
    await ann.post("profile", { name: "  Ann Example " });
    expect(app.memory.snapshot().users[0]?.name).toBe("Ann Example");
    expect(mailOf(app.mails, "profile-changed").to).toBe("ann@example.com");
    for (const fields of [{ name: "a\nb" }, {}])
      expect(await ann.post("profile", fields)).toEqual({ status: 400, body: { error: "invalid-name" } });
    expect(await ann.post("link", { provider: "gitlab" })).toMatchObject({
      status: 200,
      body: { url: "https://app.example.com/auth/signin/gitlab" },
    });
    expect(await ann.post("link", { provider: "password" })).toMatchObject({ body: { error: "unavailable" } });
  });

  it("is refused without the token of the form, and for unknown changes", async () => {
    const { app, ann } = await open();
    const before = app.memory.snapshot();
    for (const path of ["profile", "email", "link", "unlink", "remove", "cancel", "confirm", "undo"]) {
      const answer = await ann.browser.fetch(`/auth/account/${path}`, { method: "POST", body: new URLSearchParams() });
      expect([path, answer.redirected || answer.status >= 400 || answer.url.includes("error=")]).toEqual([path, true]);
    }
    for (const path of ["rename", "nothing", "toString"]) expect((await ann.post(path)).status).toBe(404);
    expect(app.memory.snapshot()).toEqual(before);
  });

  it("keeps the tokens of an account in the vault until the account goes", async () => {
    const { app, ann } = await open({ accounts: [github], config: { extensions: [vault()] } });
    expect(await ann.post("unlink", { provider: "github", providerAccountId: "1" })).toMatchObject({ status: 200 });
    expect(app.memory.snapshot().accounts).toEqual([]);
  });
});

describe("account()", () => {
  it.each([
    [{ undo: "7d" }, "`undo` is not an option"],
    [{ email: { undo: "1h" } }, "`email.undo` must be between 1 and 30 days"],
    [{ remove: { after: "100d" } }, "`remove.after` must be between 0 and 90 days"],
    [{ remove: { when: "1d" } }, "`when` is not an option"],
    [{ sections: ["nothing"] }, "`sections` must name each section at most once"],
    [{ sections: ["data", "data"] }, "`sections` must name each section at most once"],
    [{ mail: "smtp://" }, "`mail` must be a function"],
  ])("refuses %j", (options, message) => {
    // A cast: a caller without types.
    expect(() => account(options as never)).toThrow(message);
  });

  it("replaces every text", async () => {
    const { page } = await open({ account: { texts: { title: "Mein Konto", profileTitle: "Profil" } } });
    expect(await page()).toMatch(/<h1>Mein Konto<\/h1>[\s\S]*<h2>Profil<\/h2>/);
  });
});
