import type { AddressInfo } from "node:net";
import { createBrowser, createClock, createScriptedProvider } from "@cardea/testing";
import { afterEach, describe, expect, it } from "vitest";
import { createApp, PROVIDER_ID } from "./app.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

/** The application on a port, with a provider that is not on the network, and a browser that has been nowhere yet. */
async function open(maxAge = 3600) {
  const op = createScriptedProvider({
    clientId: "green-room",
    user: { sub: "1", name: "Ada", email: "ada@example.com" },
  });
  const { issuer, clientId, clientSecret = "", fetch: fetchProvider } = op;
  const secret = "a secret of more than thirty-two bytes for tests";
  const app = createApp({ provider: { issuer, clientId, clientSecret, fetch: fetchProvider }, secret, maxAge });
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  cleanups.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const origin = `http://localhost:${parseAddress(server.address()).port}`;
  const browser = createBrowser(fetch, { origin, routes: { [issuer]: op.handler }, follow: "all" });
  const signIn = async () =>
    browser.submit(await browser.navigate("/auth/signin?callbackUrl=/members"), {
      action: `/auth/signin/${PROVIDER_ID}`,
    });
  return { op, origin, browser, signIn };
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
    expect(page).not.toContain("<script");
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

  it("signs out", async () => {
    const { browser, origin, signIn } = await open();
    const left = await browser.submit(await signIn(), { action: "/sign-out" });
    expect(left.url).toBe(`${origin}/`);
    expect(await (await browser.fetch("/auth/session")).json()).toBeNull();
  });

  it.each(["/sign-out", "/name"])("refuses a form for %s that another site sent", async (path) => {
    const { browser, signIn } = await open();
    await signIn();
    const headers = { "sec-fetch-site": "cross-site" };
    expect((await browser.navigate(path, { form: { name: "Mallory" }, headers })).status).toBe(403);
    expect(await (await browser.fetch("/auth/session")).json()).toMatchObject({ user: { name: "Ada" } });
  });

  it("forgets people when their session is over", async () => {
    const clock = createClock();
    const installed = clock.install();
    cleanups.push(() => installed.restore());
    const { browser, signIn } = await open(3600);
    await signIn();
    clock.advance({ seconds: 3599 });
    expect((await browser.navigate("/members")).status).toBe(200);
    clock.advance({ seconds: 3600 });
    expect((await browser.navigate("/members")).status).toBe(401);
  });
});

function parseAddress(address: unknown): AddressInfo {
  return address as AddressInfo;
}
