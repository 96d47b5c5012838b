// The option `origins`: a server and a page of another origin, in a browser that knows what a site is.
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createAuth } from "@cardea/core";
import { type RunningOidcProvider, startOidcProvider } from "@cardea/testing/oidc-provider";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, launchChromium, visit } from "./chromium.ts";
import { choosePerson } from "./person.ts";
import { toListener } from "./to-listener.ts";

const CLIENT = fileURLToPath(new URL("../../packages/client/dist/", import.meta.url));

/** A single-page application without a framework: its page knows where the server is. */
const APP = (server: string) => `<!doctype html><title>A page</title><h1>A page</h1>
<script type="module">
  import { createClient } from "/client/index.js";
  window.client = createClient({ baseUrl: ${JSON.stringify(server)}, basePath: "/auth" });
  // A form that a page could have in place of a script.
  window.form = (action, fields) => {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: ${JSON.stringify(server)} + action });
    for (const [name, value] of Object.entries(fields)) form.append(Object.assign(document.createElement("input"), { name, value }));
    document.body.append(form);
    form.submit();
  };
</script>`;

async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** Serves the page, and the client as it is built. */
function pages(server: () => string): Server {
  return createServer(async (request, response) => {
    const file = /^\/client\/([\w-]+\.js)$/.exec(request.url ?? "")?.[1];
    const type = file === undefined ? "text/html" : "text/javascript";
    response.setHeader("content-type", type).end(file === undefined ? APP(server()) : await readFile(CLIENT + file));
  });
}

/** Runs a script in the page, and resolves to what it comes to. */
const run = (page: Page, script: string): Promise<unknown> => page.evaluate(`(async () => { ${script} })()`);

describe("two origins of one site", () => {
  const servers: Server[] = [];
  const lines: string[] = [];
  let op: RunningOidcProvider;
  let browser: Browser;
  let server = "";
  let app = "";
  /** The same page at an address of another site, which the server does not list. */
  let foreign = "";

  beforeAll(async () => {
    const note = (line: unknown) => void lines.push(String(line));
    let auth: ReturnType<typeof createAuth> | undefined;
    const answer = async (request: Request) => auth?.handlers.OPTIONS(request) ?? expect.unreachable();
    servers.push(
      createServer(toListener(answer, () => server)),
      pages(() => server),
      pages(() => server),
    );
    const [own, page, other] = await Promise.all(
      servers.map((one, n) => listen(one, n === 2 ? "127.0.0.1" : "localhost")),
    );
    [server, app, foreign] = [`http://localhost:${own}`, `http://localhost:${page}`, `http://127.0.0.1:${other}`];
    op = await startOidcProvider({ redirectUris: [`${server}/auth/callback/op`] });
    process.env.AUTH_URL = server;
    auth = createAuth({
      secret: "a secret of more than thirty-two bytes for tests",
      logger: { error: note, warn: note },
      origins: [app],
      providers: [
        {
          ...{ id: "op", name: "Provider", type: "oidc", issuer: op.issuer },
          ...{ clientId: op.clientId, clientSecret: op.clientSecret },
        },
        {
          ...{ id: "password", name: "Password", type: "credentials", credentials: { password: { type: "password" } } },
          authorize: ({ password }) => (password === "correct" ? { id: "7", name: "Ann" } : null),
        },
      ],
    });
    browser = await launchChromium();
  });
  afterAll(async () => {
    delete process.env.AUTH_URL;
    await closeContexts(browser);
    await op.close();
    for (const one of servers) one.closeAllConnections();
    await Promise.all(servers.map((one) => new Promise((resolve) => one.close(resolve))));
  });

  const nameOf = (page: Page) => run(page, "return (await client.getSession())?.user.name ?? null");

  it("signs in, reads and signs out with the client", async () => {
    const { page, leave } = await visit(browser, app);
    await page.goto("/start");
    expect(await nameOf(page)).toBeNull();
    const signIn = (password: string) =>
      run(page, `return client.signIn("password", { password: "${password}", redirect: false })`);
    expect(await signIn("wrong")).toMatchObject({ ok: false, error: "CredentialsSignin" });
    expect(await signIn("correct")).toMatchObject({ ok: true, url: `${app}/start` });
    expect(await nameOf(page)).toBe("Ann");
    await run(page, `client.signOut({ redirectTo: "/bye" })`);
    await page.waitForURL(`${app}/bye`);
    expect(await nameOf(page)).toBeNull();
    await leave();
  });

  it("goes to a provider and comes back to the page", async () => {
    const { page, leave } = await visit(browser, app);
    await page.goto("/start");
    await run(page, `client.signIn("op", { redirectTo: "/members" })`);
    await page.waitForURL(/127\.0\.0\.1/);
    await choosePerson(page, "Ada Lovelace");
    await page.waitForURL(`${app}/members`);
    expect(await nameOf(page)).toBe("Ada Lovelace");
    await leave();
  });

  it("accepts a form of the page, and leads back from the built-in page", async () => {
    const { page, leave } = await visit(browser, app);
    await page.goto("/start");
    const fields = `{ csrfToken: await client.getCsrfToken(), password: "correct", callbackUrl: "${app}/members" }`;
    await run(page, `form("/auth/callback/password", ${fields})`);
    await page.waitForURL(`${app}/members`);
    expect(await nameOf(page)).toBe("Ann");
    await run(page, "await client.signOut({ redirect: false })");
    await run(page, "client.signIn()");
    await page.waitForURL(`${server}/auth/signin**`);
    await page.getByLabel("Password").fill("correct");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(`${app}/members`);
    expect(await nameOf(page)).toBe("Ann");
    await leave();
  });

  it("tells a page of another site nothing, and changes nothing for it", async () => {
    const { page, context } = await visit(browser, app);
    await page.goto("/start");
    await run(page, `return client.signIn("password", { password: "correct", redirect: false })`);
    await page.goto(`${foreign}/start`);
    const failure = await run(page, "return client.getSession().catch(String)");
    expect(failure).toContain(server);
    expect(failure).toContain(foreign);
    expect(await run(page, `return client.signOut({ redirect: false }).catch(({ type }) => type)`)).toBe(
      "ClientFetchError",
    );
    const sent = `fetch("${server}/auth/signout", { method: "POST", mode: "no-cors", credentials: "include", body: new URLSearchParams({ csrfToken: "x" }) })`;
    expect(await run(page, `return ${sent}.then(({ type }) => type)`)).toBe("opaque");
    await run(page, `form("/auth/signout", { csrfToken: "x" })`);
    await page.waitForURL(`${server}/**`);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Request blocked");
    expect(lines.join("\n")).toMatch(new RegExp(`a page of ${foreign}, but this application is at ${server}`));
    await page.goto(`${app}/start`);
    expect(await nameOf(page)).toBe("Ann");
    await context.close();
  });
});
