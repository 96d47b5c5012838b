// Two servers of one application, and a real OpenID Provider that announces RP-initiated and back-channel logout.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { sessions } from "@cardea/sessions";
import { createBrowser, createMemoryAdapter } from "@cardea/testing";
import { type RunningOidcProvider, startOidcProvider } from "@cardea/testing/oidc-provider";
import { afterAll, describe, expect, it } from "vitest";
import { logout } from "../src/index.ts";

const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** Receives the provider's logout tokens; the application behind it is set later. */
async function startReceiver() {
  const statuses: number[] = [];
  let handle = async (_: Request) => new Response(null, { status: 503 });
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const headers = { "content-type": String(request.headers["content-type"]) };
    const body = Buffer.concat(parts);
    const answer = await handle(new Request(`${url}${request.url}`, { method: "POST", headers, body }));
    statuses.push(answer.status);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server on a port has an address with that port.
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  closing.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url,
    statuses,
    receive: (next: typeof handle) => {
      handle = next;
    },
  };
}

function createServerOf(op: RunningOidcProvider, store: ReturnType<typeof memoryStore>, strategy: "jwt" | "database") {
  const { store: own, ...adapter } = createMemoryAdapter().adapter;
  return createAuth({
    ...{ secret: "a secret of more than thirty-two bytes", trustHost: true, store, adapter },
    session: { strategy },
    logger: { error: () => {}, warn: () => {} },
    providers: [
      {
        id: "op",
        name: "Provider",
        type: "oidc",
        issuer: op.issuer,
        clientId: op.clientId,
        clientSecret: op.clientSecret,
      },
    ],
    extensions: [sessions({ revocation: { check: "each" } }), logout({ backchannel: true })],
  });
}

describe.each(["jwt", "database"] as const)("logout() with oidc-provider, strategy %s", (strategy) => {
  it("ends the provider's session, which ends ours on every device of that session and no other", async () => {
    const receiver = await startReceiver();
    const origin = receiver.url;
    const op = await startOidcProvider({
      clients: [
        {
          ...{ clientId: "demo", clientSecret: "demo-secret", redirectUris: [`${origin}/auth/callback/op`] },
          postLogoutRedirectUris: [`${origin}/auth/signedout/op`],
          backchannelLogoutUri: `${origin}/auth/backchannel/op`,
        },
      ],
    });
    closing.push(() => op.close());
    const store = memoryStore();
    const auth = createServerOf(op, store, strategy);
    receiver.receive(auth.handlers.POST);
    const open = () => {
      const routes = { [op.issuer]: (request: Request) => fetch(request) };
      const browser = createBrowser(auth.handlers.GET, { origin, routes, follow: "all" });
      const isSignedIn = async () => (await (await browser.fetch("/auth/session")).json()) !== null;
      const signIn = async () => {
        const page = await browser.submit(await browser.navigate("/auth/signin"), { action: "/auth/signin/op" });
        if (page.url.startsWith(op.issuer))
          await browser.submit(page, { button: "Continue", fields: { login: "ada-1815" } });
      };
      return { browser, isSignedIn, signIn };
    };
    const [laptop, phone] = [open(), open()];
    await laptop.signIn();
    await phone.signIn();
    const copy = laptop.browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
    expect([await laptop.isSignedIn(), await phone.isSignedIn()]).toEqual([true, true]);

    // RP-initiated: the form of the provider asks, and the way back is ours.
    const out = await laptop.browser.navigate("/auth/signout?callbackUrl=/goodbye");
    const asked = await laptop.browser.submit(out, { action: "/auth/signout" });
    expect(asked.url).toContain(`${op.issuer}/session/end`);
    const back = await laptop.browser.submit(asked, { button: "Sign out" });
    expect(back.url).toBe(`${origin}/goodbye`);

    // Back-channel: the provider told us, and what was copied before is ended as well.
    await expect.poll(() => receiver.statuses).toEqual([200]);
    const request = new Request(`${origin}/auth/session`, { headers: { cookie: copy.join("; ") } });
    expect(await (await auth.handlers.GET(request)).json()).toBe(null);
    expect([await laptop.isSignedIn(), await phone.isSignedIn()]).toEqual([false, true]);
  });
});
