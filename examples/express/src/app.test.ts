import type { AddressInfo } from "node:net";
import { createBrowser, createClock, createMemoryAdapter, createScriptedProvider } from "@cardea/testing";
import { startSmtpSink } from "@cardea/testing/smtp-sink";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type AppOptions, createApp } from "./app.ts";
import { seedMembers } from "./members.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

/** A provider that is not on the network, where Ada has an account. */
function registerAt(id: string, name: string) {
  const clientId = `green-room-${id}`;
  const user = { sub: "1", name: "Ada", email: "ada@example.com", email_verified: true };
  const op = createScriptedProvider({ issuer: `https://${id}.example.com`, clientId, user });
  const { issuer, clientSecret = "", fetch } = op;
  return { op, provider: { id, name, issuer, clientId, clientSecret, fetch } };
}

/** The application on a port, with two providers, and a browser that has been nowhere yet. */
async function open(options: Partial<AppOptions> = {}) {
  const [first, second] = [registerAt("first", "First"), registerAt("second", "Second")];
  const database = createMemoryAdapter();
  await seedMembers(database.adapter);
  const secret = "a secret of more than thirty-two bytes for tests";
  const providers = [first.provider, second.provider];
  const app = createApp({ adapter: database.adapter, providers, mailServer: "", secret, ...options });
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  cleanups.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const origin = `http://localhost:${parseAddress(server.address()).port}`;
  const routes = { [first.op.issuer]: first.op.handler, [second.op.issuer]: second.op.handler };
  const browser = createBrowser(fetch, { origin, routes, follow: "all" });
  const submitSignIn = async (action: string, fields = {}) =>
    browser.submit(await browser.navigate(`/auth/signin/${action.split("/").at(-1)}?callbackUrl=/members`), {
      action,
      fields,
    });
  const signIn = (id = "first") => submitSignIn(`/auth/signin/${id}`);
  return { op: first.op, second: second.op, origin, browser, database, submitSignIn, signIn };
}

describe("createApp()", () => {
  it("keeps the members' page from everyone else", async () => {
    const { browser } = await open();
    expect((await browser.navigate("/members")).status).toBe(401);
    expect(await (await browser.navigate("/")).text()).toContain("One door");
  });

  it("greets members by name, whatever it is made of", async () => {
    const { browser, op, signIn } = await open();
    op.user = { sub: "2", name: "<script>alert(1)</script>", email: null, picture: 'data:image/png,"onerror=1' };
    const page = await (await signIn()).text();
    expect(page).toContain("<h1>Hello, &lt;script&gt;alert(1)&lt;/script&gt;</h1>");
    expect(page).toContain('src="data:image/png,&quot;onerror=1"');
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/scripts/members.js">']);
    expect(await (await browser.navigate("/")).text()).toContain("Welcome back, &lt;script&gt;");
  });

  it("takes a new name, and keeps the old one when there is none", async () => {
    const { browser, signIn } = await open();
    const page = await signIn();
    const renamed = await browser.submit(page, { action: "/name", fields: { name: "  Countess  " } });
    expect(await renamed.clone().text()).toContain("Hello, Countess");
    const kept = await browser.submit(renamed, { action: "/name", fields: { name: " " } });
    expect(await kept.text()).toContain("Hello, Countess");
  });

  it.each(["database", "jwt"] as const)("has the new name in every session (%s)", async (strategy) => {
    const { browser, signIn } = await open({ strategy });
    await browser.submit(await signIn(), { action: "/name", fields: { name: "Countess" } });
    expect(await (await browser.fetch("/auth/session")).json()).toMatchObject({ user: { name: "Countess" } });
    // What a browser sends by itself changes nothing.
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    const body = JSON.stringify({ csrfToken, data: { name: "Mallory", userId: "1" } });
    const headers = { "content-type": "application/json" };
    await browser.fetch("/auth/session", { method: "POST", headers, body });
    expect(await (await browser.fetch("/auth/session")).json()).toMatchObject({ user: { name: "Countess" } });
  });

  it("lists a member's passkeys, and offers to add one", async () => {
    const { browser, database, signIn } = await open();
    await signIn();
    expect(await (await browser.navigate("/members")).text()).toContain("You have no passkeys yet.");
    const userId = database.snapshot().users.find(({ name }) => name === "Ada")?.id ?? "";
    const key = { credentialPublicKey: "", counter: 0, providerAccountId: "", userId };
    const onAll = { credentialDeviceType: "multiDevice", credentialBackedUp: true, transports: "internal,hybrid" };
    await database.adapter.createAuthenticator?.({
      ...key,
      ...onAll,
      credentialID: "synced-passkey",
      name: "Bitwarden",
    });
    const onOne = { credentialDeviceType: "singleDevice", credentialBackedUp: false, transports: "usb" };
    await database.adapter.createAuthenticator?.({ ...key, ...onOne, credentialID: "security-key" });
    const page = await (await browser.navigate("/members")).text();
    expect(page).toMatch(/Bitwarden <code>synced-p…<\/code><\/span><span class="state on">Backed up</);
    expect(page).toMatch(/Security key <code>security…<\/code><\/span><span class="state">On one device</);
    expect(page).toContain('<button class="button" id="add-passkey" type="button" hidden>Add a passkey</button>');
  });

  it("takes the user name and password of a user in the database", async () => {
    const { submitSignIn, database } = await open();
    const fields = { username: "grace", password: "nanosecond" };
    const page = await submitSignIn("/auth/callback/credentials", fields);
    expect(await page.text()).toContain("Hello, Grace Hopper");
    expect(database.snapshot().sessions).toHaveLength(1);
  });

  it("signs in by a link that it sent", async () => {
    const sink = await startSmtpSink();
    cleanups.push(sink.close);
    const { submitSignIn, browser } = await open({ mailServer: sink.url, inbox: sink });
    const told = await submitSignIn("/auth/signin/nodemailer", { email: "bob@example.com" });
    expect(await told.text()).toContain("Open the demo’s inbox");
    const inbox = await (await browser.navigate("/inbox")).text();
    const [, link = ""] = /<a href="(http[^"]+)">http/.exec(inbox) ?? [];
    const members = await browser.navigate(link.replaceAll("&amp;", "&"));
    expect(await members.text()).toContain("bob@example.com");
    expect((await browser.navigate("/inbox/1")).headers.get("content-security-policy")).toContain("sandbox");
    expect((await browser.navigate("/inbox/2")).status).toBe(404);
  });

  it("connects a second provider to who is signed in", async () => {
    const { browser, signIn, database, second } = await open();
    second.user = { sub: "elsewhere", email: "elsewhere@example.com" };
    const connected = await browser.submit(await signIn(), { action: "/connect/second" });
    expect(await connected.text()).not.toContain('action="/connect/');
    expect(database.snapshot().accounts).toHaveLength(2);
    await browser.navigate("/sign-out", { form: {} });
    expect(await (await signIn("second")).text()).toContain("Hello, Ada");
  });

  it("tells a member that an account is another user’s", async () => {
    const { browser, signIn, second, database } = await open();
    second.user = { sub: "2", name: "Bob", email: "bob@example.com" };
    await signIn("second");
    await browser.navigate("/sign-out", { form: {} });
    const page = await browser.submit(await signIn(), { action: "/connect/second" });
    expect(await page.text()).toContain("belongs to another member");
    expect(database.snapshot().accounts).toHaveLength(2);
  });

  it("tells a stranger with a member’s address to come as before", async () => {
    const { browser, signIn } = await open();
    await signIn();
    await browser.navigate("/sign-out", { form: {} });
    expect(await (await signIn("second")).text()).toContain("Sign in the way you originally signed up");
  });

  it("connects no provider that there is not, and signs in a user who is not signed in yet", async () => {
    const { browser, database } = await open();
    expect((await browser.navigate("/connect/third", { form: {} })).status).toBe(404);
    expect((await browser.navigate("/connect/first", { form: {} })).status).toBe(200);
    expect(database.snapshot().accounts).toHaveLength(1);
  });

  it("signs out", async () => {
    const { browser, origin, signIn } = await open();
    const left = await browser.submit(await signIn(), { action: "/sign-out" });
    expect(left.url).toBe(`${origin}/`);
    expect(await (await browser.fetch("/auth/session")).json()).toBeNull();
  });

  it("shows what the provider’s API says, with a token that no page has", async () => {
    const { browser, op, signIn } = await open();
    op.user = { sub: "1", name: "Ada", nickname: "Enchantress" };
    await signIn();
    const real = fetch;
    // The API is the application's to call, without the provider's own `fetch`.
    vi.stubGlobal("fetch", (...given: Parameters<typeof fetch>) =>
      String(given[0]).startsWith(op.issuer) ? op.fetch(...given) : real(...given),
    );
    cleanups.push(() => vi.unstubAllGlobals());
    const pages = [await browser.navigate("/members"), await browser.navigate("/profile/first")];
    const texts = await Promise.all(pages.map((page) => page.text()));
    expect(texts.at(-1)).toContain("Enchantress");
    expect(op.issued.accessTokens).toHaveLength(1);
    for (const token of [...op.issued.accessTokens, ...op.issued.refreshTokens])
      expect(texts.join()).not.toContain(token);
  });

  it("asks for consent where a member has none, and keeps strangers out", async () => {
    const { browser, signIn } = await open();
    expect((await browser.navigate("/profile/first")).url).toContain("/auth/signin");
    await signIn();
    expect(await (await browser.navigate("/profile/second")).text()).toContain('action="/connect/second"');
    expect((await browser.navigate("/profile/third")).status).toBe(404);
  });

  it("signs out at the provider as well, where the member asks for it", async () => {
    const { browser, op, origin, signIn } = await open();
    op.script = { metadata: { set: { end_session_endpoint: `${op.issuer}/end` } } };
    await signIn();
    const left = await browser.navigate("/sign-out/everywhere", { form: {}, follow: "none" });
    const url = new URL(left.redirectsTo ?? "");
    expect([url.origin + url.pathname, url.searchParams.get("post_logout_redirect_uri")]).toEqual([
      `${op.issuer}/end`,
      `${origin}/auth/signedout/first`,
    ]);
    expect(await (await browser.fetch("/auth/session")).json()).toBeNull();
  });

  it.each(["/sign-out", "/sign-out/everywhere", "/name", "/connect/second"])(
    "refuses a form for %s that another site sent",
    async (path) => {
      const { browser, signIn } = await open();
      await signIn();
      const headers = { "sec-fetch-site": "cross-site" };
      expect((await browser.navigate(path, { form: { name: "Mallory" }, headers })).status).toBe(403);
      expect(await (await browser.fetch("/auth/session")).json()).toMatchObject({ user: { name: "Ada" } });
    },
  );

  it.each([
    [400, "a path that cannot be decoded", "/profile/%ff", {}],
    [413, "a large form", "/name", { body: new URLSearchParams({ name: "x".repeat(200_000) }) }],
    [
      400,
      "a form that is not compressed as it says",
      "/name",
      { body: "name=x", headers: { "content-encoding": "gzip" } },
    ],
    [400, "a malformed host", "/sign-out", { method: "POST", headers: { "x-forwarded-host": "a b" } }],
    [400, "an amount that is no number", "/transfer", { body: new URLSearchParams({ amount: "x" }) }],
  ])("answers with %i to %s", async (status, _name, path, request: RequestInit) => {
    const { origin } = await open();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const method = "body" in request ? "POST" : "GET";
    const headers = { ...type, ...Object(request.headers), "sec-fetch-site": "same-origin" };
    expect((await fetch(`${origin}${path}`, { method, ...request, headers })).status).toBe(status);
  });

  it("forgets people when their session is over", async () => {
    const clock = createClock();
    const installed = clock.install();
    cleanups.push(() => installed.restore());
    const { browser, signIn } = await open({ maxAge: 3600 });
    await signIn();
    clock.advance({ seconds: 3599 });
    expect((await browser.navigate("/members")).status).toBe(200);
    // The read before has renewed the session.
    clock.advance({ seconds: 3630 });
    expect((await browser.navigate("/members")).status).toBe(401);
  });
});

function parseAddress(address: unknown): AddressInfo {
  return address as AddressInfo;
}
