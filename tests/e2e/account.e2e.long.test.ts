// The account page and the pages of its links, in an application with everything that has a section.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type AccountMail, account } from "@cardea/account";
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { Password, scrypt } from "@cardea/providers-password";
import { Passkey } from "@cardea/providers-webauthn";
import { recoveryCodes, secondFactor, totp } from "@cardea/second-factor";
import { sessions } from "@cardea/sessions";
import { createMemoryAdapter } from "@cardea/testing/memory-adapter";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, launchChromium, takePicture, visit } from "./chromium.ts";
import { plugIn } from "./device.ts";
import { DEVICES, inspect as inspectAs } from "./looks.ts";

/** Signs in the user who is named. */
const LOGIN = { ...({ id: "login", name: "Login", type: "credentials" } as const), credentials: { username: {} } };

/** What a page does that has a passkey created, beside a password or with a prompt: whether the browser may leave the user alone is the server's. */
const CREATE = `async (mediation) => {
  const { options } = await (await fetch("/auth/webauthn-options/passkey?action=register" + mediation)).json();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const data = JSON.stringify(await navigator.credentials.create({ publicKey }));
  const { csrfToken } = await (await fetch("/auth/csrf")).json();
  const body = new URLSearchParams({ action: "register", data, csrfToken });
  const headers = { "X-Auth-Return-Redirect": "1" };
  return (await (await fetch("/auth/callback/passkey", { method: "POST", body, headers })).json()).url;
}`;

const PASSWORD = "purple monkey dishwasher sings";

/** An application on a port of this machine, whose users have a password and two accounts, and others. */
async function startApplication({ passkeys = false } = {}) {
  const mails: Pick<AccountMail, "to" | "url">[] = [];
  const mail = async ({ to, url }: { to: string; url: string | undefined }) => void mails.push({ to, url });
  const { store: own, ...adapter } = createMemoryAdapter().adapter;
  const oauth = (id: string, name: string) => ({
    ...({ id, name, type: "oauth", clientId: "app", clientSecret: "secret" } as const),
    ...{ authorization: `https://${id}.example/authorize`, token: `https://${id}.example/token` },
    userinfo: `https://${id}.example/userinfo`,
  });
  const { handlers } = createAuth({
    ...{ secret: "a secret of more than thirty-two bytes", trustHost: true, adapter, store: memoryStore() },
    logger: { error: () => {}, warn: () => {} },
    session: { strategy: "jwt" },
    experimental: { enableWebAuthn: passkeys },
    providers: [
      passkeys && Passkey({ conditionalCreate: true, relayingParty: { id: "localhost", name: "Acme" } }),
      passkeys && {
        ...LOGIN,
        authorize: ({ username }: Partial<Record<string, unknown>>) => ({ id: String(username) }),
      },
      oauth("github", "GitHub"),
      oauth("gitlab", "GitLab"),
      Password({ mail, breached: false, hash: scrypt({ N: 2 ** 14 }) }),
    ],
    extensions: [
      sessions({ revocation: { every: 0.000_001 } }),
      secondFactor({ factors: [totp({ issuer: "Acme" }), recoveryCodes()] }),
      account({ mail, email: { undo: "7d" }, remove: { after: "14d" } }),
    ],
  });
  const toRequest = async (incoming: IncomingMessage): Promise<Request> => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const { method = "GET" } = incoming;
    const body = method === "GET" || method === "HEAD" ? null : Buffer.concat(parts);
    return new Request(`http://${incoming.headers.host}${incoming.url}`, { method, headers, body });
  };
  const server: Server = createServer(async (incoming, outgoing) => {
    const answer = incoming.url?.startsWith("/auth/")
      ? await handlers.GET(await toRequest(incoming))
      : new Response('<!doctype html><html lang="en"><title>Home</title><h1>Home</h1></html>', {
          headers: { "content-type": "text/html" },
        });
    outgoing.statusCode = answer.status;
    for (const [name, value] of answer.headers) if (name !== "set-cookie") outgoing.setHeader(name, value);
    outgoing.setHeader("set-cookie", answer.headers.getSetCookie());
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  // A server on a port has an address with that port.
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://localhost:${port}`, mails, adapter, close };
}

const devices = DEVICES.filter(([name]) => name === "light" || name === "phone-dark");

describe.each(devices)("the account page, %s", (device, options) => {
  let application: Awaited<ReturnType<typeof startApplication>>;
  let browser: Browser;
  beforeAll(async () => {
    [application, browser] = await Promise.all([startApplication(), launchChromium()]);
  });
  afterAll(() => Promise.all([closeContexts(browser), application.close()]));

  const inspect = (page: Page, name: string) => inspectAs(page, name, device);

  /** The link in the latest message to an address. */
  const linkTo = async (address: string): Promise<string> => {
    const find = () => application.mails.findLast(({ to, url }) => to === address && url !== undefined)?.url;
    await expect.poll(find).toBeTruthy();
    return find() ?? "";
  };

  /** Before it is the button that shows a password. */
  const mainButton = (page: Page) => page.locator("form button:not(.show)").first();

  /** Registers a user, and connects two accounts. */
  const register = async (page: Page, address: string): Promise<string> => {
    await page.goto("/auth/register/password?callbackUrl=/");
    await page.getByLabel("E-mail").fill(address);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await mainButton(page).click();
    await page.goto(await linkTo(address));
    await mainButton(page).click();
    await page.waitForURL((at) => at.pathname === "/");
    const user = await application.adapter.getUserByEmail(address);
    const userId = user?.id ?? "";
    for (const provider of ["github", "gitlab"])
      await application.adapter.linkAccount({ userId, type: "oauth", provider, providerAccountId: address });
    return userId;
  };

  /** Opens the disclosure with this label in a row or section, and uses its button. */
  const confirm = async (page: Page, ask: string, button: string, nth = 0): Promise<void> => {
    await page.locator("summary", { hasText: ask }).nth(nth).click();
    await page.locator("details[open]").getByRole("button", { name: button }).click();
  };

  it.each([
    ["with JavaScript", true],
    ["without JavaScript", false],
  ])("does all that a user may do, %s", async (how, javaScriptEnabled) => {
    const name = how.replace(" ", "-");
    const { page, leave } = await visit(browser, application.url, { ...options, javaScriptEnabled });
    // axe-core is a script as well: the page is the same.
    const look = javaScriptEnabled ? inspect : takePicture;
    const [old, next] = [`ann-${javaScriptEnabled}@example.com`, `ann-${javaScriptEnabled}@new.example`];
    const userId = await register(page, old);
    await page.goto("/auth/account");
    for (const heading of ["Profile", "Ways to sign in", "Password", "Your sessions", "Your data"])
      expect(await page.getByRole("heading", { name: heading }).count(), heading).toBe(1);
    await look(page, `account-${name}`);
    await page.getByLabel("Name", { exact: true }).fill("Ann");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").waitFor();
    expect((await application.adapter.getUser(userId))?.name).toBe("Ann");
    await confirm(page, "Remove", "Remove");
    await page.getByRole("status").waitFor();
    expect(await application.adapter.listAccountsByUserId(userId)).toHaveLength(1);
    await confirm(page, "Remove password", "Remove password");
    await page.getByRole("status").waitFor();
    await page.goto("/auth/account");
    await confirm(page, "Remove", "Remove");
    await page.getByRole("alert").waitFor();
    await look(page, `account-last-${name}`);
    await page.getByRole("button", { name: /^Connect/ }).click();
    await page.getByRole("heading", { name: /^Connect/ }).waitFor();
    await look(page, `account-connect-${name}`);
    await page.getByRole("link", { name: "Back to your account" }).click();
    await page.locator("summary", { hasText: /^Change$/ }).click();
    await page.getByLabel("New e-mail address").fill(next);
    await page.getByRole("button", { name: "Change e-mail address" }).click();
    await page.getByRole("status").waitFor();
    await look(page, `account-pending-${name}`);
    await page.goto(await linkTo(next));
    await look(page, `account-confirm-${name}`);
    await page.getByRole("button", { name: "Confirm" }).click();
    // A registration proves the mailbox alone, so that the current one is asked too.
    await page.getByRole("heading", { name: "One more step" }).waitFor();
    await page.goto(await linkTo(old));
    await look(page, `account-approve-${name}`);
    await page.getByRole("button", { name: "Change the address" }).click();
    await page.getByRole("heading", { name: "Your address was changed" }).waitFor();
    expect((await application.adapter.getUser(userId))?.email).toBe(next);
    // The former mailbox, in a browser that has never been here.
    const owner = await visit(browser, application.url, { ...options, javaScriptEnabled });
    await owner.page.goto(await linkTo(old));
    await look(owner.page, `account-undo-${name}`);
    await owner.page.getByRole("button", { name: "Restore my address" }).click();
    await owner.page.getByRole("heading", { name: "Your address was restored" }).waitFor();
    expect((await application.adapter.getUser(userId))?.email).toBe(old);
    // The password that was there at the change was removed before; a new one is chosen by the mailbox.
    await owner.page.goto("/auth/account");
    expect(new URL(owner.page.url()).pathname).toBe("/auth/signin");
    await owner.leave();
    await leave();
  });

  it.each([
    ["with JavaScript", true],
    ["without JavaScript", false],
  ])("deletes the account after a question, and keeps it after another, %s", async (how, javaScriptEnabled) => {
    const name = how.replace(" ", "-");
    const { page, leave } = await visit(browser, application.url, { ...options, javaScriptEnabled });
    const look = javaScriptEnabled ? inspect : takePicture;
    const address = `bo-${javaScriptEnabled}@example.com`;
    await register(page, address);
    await page.goto("/auth/account");
    await confirm(page, "Delete account", "Delete my account");
    await page.getByRole("heading", { name: "Your account will be deleted" }).waitFor();
    await look(page, `account-deleted-${name}`);
    await page.goto("/auth/signin?callbackUrl=/auth/account");
    await page.getByLabel("E-mail").fill(address);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    const form = page.locator("form", { has: page.getByLabel("Password", { exact: true }) });
    await form.getByRole("button", { name: /sign in/i }).click();
    await page.getByRole("heading", { name: "Your account will be deleted" }).waitFor();
    await look(page, `account-keep-${name}`);
    await page.getByRole("button", { name: "Cancel deletion and sign in" }).click();
    await page.waitForURL(/\/auth\/account$/);
    await leave();
  });

  it.runIf(device === "phone-dark")(
    "has a passkey that was created without anyone there, and the device forgets it when it is removed",
    async () => {
      const own = await startApplication({ passkeys: true });
      const { page, leave } = await visit(browser, own.url, options);
      const phone = await plugIn(page);
      const user = { id: "", name: "Ann", email: "ann@example.com", emailVerified: new Date(), image: null };
      const { id: userId } = await own.adapter.createUser(user);
      for (const provider of ["github", "gitlab"])
        await own.adapter.linkAccount({ userId, type: "oauth", provider, providerAccountId: userId });
      const signIn = async () => {
        const { csrfToken } = await (await page.request.get("/auth/csrf")).json();
        await page.request.post("/auth/callback/login", { form: { csrfToken, username: userId } });
        await page.goto("/auth/account");
      };
      await signIn();
      await phone.touch(true);
      await phone.leaveAlone(true);
      const create = (query: string) => page.evaluate(`(${CREATE})(${JSON.stringify(query)})`);
      expect(await create("")).toContain("error=");
      expect(await own.adapter.listAuthenticatorsByUserId(userId)).toEqual([]);
      expect(await create("&mediation=conditional")).not.toContain("error=");
      await phone.leaveAlone(false);
      await page.goto("/auth/account");
      // That of the registration that was refused is unknown, and has the same handle.
      await expect.poll(() => phone.credentials()).toHaveLength(1);
      await page.getByRole("heading", { name: "Passkeys" }).waitFor();
      await inspect(page, "account-passkeys");
      await page.getByLabel("Name", { exact: true }).first().fill("Ann Lee");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("status").waitFor();
      await expect.poll(async () => (await phone.credentials())[0]?.userDisplayName).toBe("Ann Lee");
      // The session in which it was created ends with it.
      await page.context().clearCookies();
      await signIn();
      const section = page.locator("section", { has: page.getByRole("heading", { name: "Passkeys" }) });
      await section.locator("summary", { hasText: "Remove" }).click();
      await section.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("status").waitFor();
      await expect.poll(() => phone.credentials()).toHaveLength(0);
      await leave();
      await own.close();
    },
  );
});
