// The built-in page with the field for a code, which the examples have a page of their own for.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { emailCodes } from "@cardea/providers-email/codes";
import { createMemoryAdapter } from "@cardea/testing/memory-adapter";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, launchChromium, takePicture, visit } from "./chromium.ts";
import { inspect } from "./looks.ts";

interface Mail {
  readonly to: string;
  readonly url: string;
  readonly code: string;
}

/** An application with e-mails that have a code, on a port of this machine. */
async function startApplication() {
  const mails: Mail[] = [];
  const { store: own, ...adapter } = createMemoryAdapter().adapter;
  const { handlers } = createAuth({
    ...{ secret: "a secret of more than thirty-two bytes", trustHost: true, adapter, store: memoryStore() },
    logger: { error: () => {}, warn: () => {} },
    providers: [
      {
        ...{ id: "email", name: "E-mail", type: "email", code: emailCodes },
        sendVerificationRequest: ({ identifier, url, code = "" }) => void mails.push({ to: identifier, url, code }),
      },
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
  return { url: `http://localhost:${port}`, mails, close };
}

describe("the code of an e-mail, typed", () => {
  let application: Awaited<ReturnType<typeof startApplication>>;
  let browser: Browser;
  beforeAll(async () => {
    [application, browser] = await Promise.all([startApplication(), launchChromium()]);
  });
  afterAll(() => Promise.all([closeContexts(browser), application.close()]));

  /** Asks for an e-mail; resolves with it. The browser is at the page with the field then. */
  const ask = async (page: Page, address: string): Promise<Mail> => {
    await page.goto("/auth/signin?callbackUrl=/");
    await page.getByLabel("E-mail").fill(address);
    await page.getByRole("button", { name: /link|e-mail/i }).click();
    await page.getByLabel("Code from the e-mail").waitFor();
    const mail = application.mails.findLast(({ to }) => to === address);
    if (mail === undefined) throw new Error("No e-mail was sent.");
    return mail;
  };

  const enter = async (page: Page, code: string) => {
    await page.getByLabel("Code from the e-mail").fill(code);
    await page.getByRole("button", { name: /sign in|continue/i }).click();
  };

  const userOf = async (page: Page) => (await (await page.request.get("/auth/session")).json())?.user?.email;

  it.each([
    ["with JavaScript", true],
    ["without JavaScript", false],
  ])("signs in, %s, and says what a wrong one is", async (how, javaScriptEnabled) => {
    const { page, leave } = await visit(browser, application.url, { javaScriptEnabled });
    const address = `ann-${javaScriptEnabled}@example.com`;
    const { code, url } = await ask(page, address);
    expect(code).toMatch(/^\d{8}$/);
    // axe-core is a script as well: the page is the same.
    const look = javaScriptEnabled ? inspect : takePicture;
    await look(page, `email-code-${how.replace(" ", "-")}`, "light");
    const wrong = code.replace(/./g, (digit) => String((Number(digit) + 1) % 10));
    await enter(page, wrong);
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("Code from the e-mail").getAttribute("aria-invalid")).toBe("true");
    await look(page, `email-code-wrong-${how.replace(" ", "-")}`, "light");
    expect(await userOf(page)).toBe(undefined);
    // As people type it.
    await enter(page, `${code.slice(0, 4)} ${code.slice(4)}`);
    await page.waitForURL((at) => at.pathname === "/");
    expect(await userOf(page)).toBe(address);
    await leave();
    // Code and link are one token: the link is over.
    const other = await visit(browser, application.url, { javaScriptEnabled });
    await other.page.goto(url);
    await other.page.getByRole("button").first().click();
    expect(await userOf(other.page)).toBe(undefined);
    await other.leave({ status: [403, 400] });
  });

  it("is worth nothing in another browser", async () => {
    const [own, other] = [await visit(browser, application.url), await visit(browser, application.url)];
    await ask(own.page, "bob@example.com");
    await other.page.goto(own.page.url());
    expect(await other.page.getByLabel("Code from the e-mail").count()).toBe(0);
    await own.leave();
    await other.leave();
  });
});
