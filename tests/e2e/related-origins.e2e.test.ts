// `relatedOrigins()`: one passkey on two domains, in a browser that fetches the document of the first to use it on the second.
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createAuth } from "@cardea/core";
import { Passkey, relatedOrigins } from "@cardea/providers-webauthn";
import { createMemoryAdapter } from "@cardea/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchWith, visit } from "./chromium.ts";
import { plugIn, untilOffered } from "./device.ts";
import { createOwnCertificate } from "./own-certificate.ts";
import { toListener } from "./to-listener.ts";

const [HOME, OTHER] = ["https://example.com", "https://example.co.uk"] as const;

const passkey = Passkey({ relayingParty: { id: "example.com", name: "Example", origin: [HOME, OTHER] } });
const permit = relatedOrigins(passkey);

describe("a passkey on two domains", () => {
  /** What the domain of the relying party answers at `/.well-known/webauthn`. */
  let wellKnown = permit;
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    const { handlers } = createAuth({
      secret: "a secret of more than thirty-two bytes for tests",
      trustHost: true,
      logger: { warn: () => {} },
      adapter: createMemoryAdapter().adapter,
      providers: [passkey],
      experimental: { enableWebAuthn: true },
    });
    const answer = async (request: Request) => {
      const { pathname, origin } = new URL(request.url);
      if (pathname.startsWith("/auth/")) return handlers.OPTIONS(request);
      if (pathname === "/.well-known/webauthn" && origin === HOME) return wellKnown();
      return new Response("<!doctype html><title>Home</title>", { headers: { "content-type": "text/html" } });
    };
    server = createServer(
      createOwnCertificate(),
      toListener(answer, ({ headers }) => `https://${headers.host}`),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const rules = [HOME, OTHER].map((origin) => `MAP ${new URL(origin).host}:443 127.0.0.1:${port}`);
    browser = await launchWith(["--ignore-certificate-errors", `--host-resolver-rules=${rules.join(",")}`]);
  });
  beforeEach(() => {
    wellKnown = permit;
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

  const addressAt = async (page: Page, origin: string): Promise<unknown> => {
    const answer = await page.goto(`${origin}/auth/session`);
    return (await answer?.json())?.user?.email ?? null;
  };

  /** A user who has registered at the domain that passkeys belong to, with a device that is touched from now on. */
  async function register(address: string) {
    const visitor = await visit(browser, HOME);
    const { page } = visitor;
    const device = await plugIn(page);
    await page.goto(`${HOME}/auth/signin?callbackUrl=/`);
    await untilOffered(page);
    await page.getByLabel("E-mail address").fill(address);
    await device.touch(true);
    await press(page, "Create an account with a passkey");
    await page.waitForURL(`${HOME}/`);
    await device.touch(false);
    return { ...visitor, device };
  }

  it("signs in on the other domain, which the one of the relying party permits", async () => {
    const { page, device, leave } = await register("ann@example.com");
    expect(await addressAt(page, OTHER)).toBeNull();
    // Nothing is pressed: the browser offers it in the field once it has read the document, and the person takes it.
    await device.touch(true);
    await page.goto(`${OTHER}/auth/signin?callbackUrl=/`);
    await page.waitForURL(`${OTHER}/`);
    expect(await addressAt(page, OTHER)).toBe("ann@example.com");
    expect(await device.credentials()).toHaveLength(1);
    await leave();
  });

  it.each([
    ["is absent", () => new Response(null, { status: 404 })],
    ["names other domains", () => Response.json({ origins: ["https://example.net"] })],
  ])("says that it cannot be used there where the document %s", async (_name, document) => {
    const { page, device, leave } = await register(`${crypto.randomUUID()}@example.com`);
    wellKnown = document;
    await page.goto(`${OTHER}/auth/signin?callbackUrl=/`);
    await device.touch(true);
    await press(page, "Sign in with a passkey");
    const note = page.locator(".passkey").getByRole("alert");
    await note.waitFor();
    expect(await note.textContent()).toMatch(/^This browser can’t use passkeys here\. .*another sign-in method/);
    expect(await addressAt(page, OTHER)).toBeNull();
    await leave();
  });
});
