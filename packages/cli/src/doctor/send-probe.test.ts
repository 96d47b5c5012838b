import { startOidcProvider } from "@cardea/testing/oidc-provider";
import { expect, it } from "vitest";
import { extensionChecks } from "./checks/extensions.ts";
import { factsOf } from "./collect-facts.ts";
import { sendProbe } from "./send-probe.ts";

const BASE = "http://localhost:3000/api/auth";

/** What is found with a provider that has this URI registered. */
async function findingsWith(registered: string) {
  await using op = await startOidcProvider({
    clients: [
      {
        clientId: "app",
        clientSecret: "secret",
        redirectUris: [`${BASE}/callback/local`],
        postLogoutRedirectUris: [registered],
      },
    ],
  });
  // The application is not there: its answer is.
  const send: typeof fetch = async (input, init) =>
    String(input).startsWith(BASE)
      ? Response.json([{ id: "local", callbackUrl: `${BASE}/callback/local` }])
      : fetch(input, init);
  const providers = [{ id: "local", issuer: op.issuer, clientId: "app" }];
  const probe = await sendProbe(new URL(BASE), { providers, send, hasLogout: true });
  return extensionChecks["post-logout-uri"]?.(factsOf({ files: new Map(), env: {}, probe }));
}

it("finds with oidc-provider whether a post-logout redirect URI is registered, exactly", async () => {
  expect(await findingsWith(`${BASE}/signedout/local`)).toEqual([]);
  for (const other of [`${BASE}/signedout`, `${BASE}/signedout/local/`, "http://localhost:3000/"]) {
    expect(await findingsWith(other)).toMatchObject([
      { what: expect.stringContaining(`${BASE}/signedout/local`), remedy: expect.stringContaining("Register exactly") },
    ]);
  }
});

it.each([
  ["http://localhost:3000", "/auth", "http://localhost:3000/auth"],
  ["http://localhost:3000/", "/api/auth", "http://localhost:3000/api/auth"],
  ["http://localhost:3000/account/auth", "/auth", "http://localhost:3000/account/auth"],
  ["http://localhost:3000", "/elsewhere", "http://localhost:3000/"],
])("looks for the actions of %s, which are at %s", async (given, path, found) => {
  // Other paths show a page, as applications do whose router is in the browser.
  const send: typeof fetch = async (input) =>
    new URL(String(input)).pathname.startsWith(`${path}/`) ? Response.json(null) : new Response("<p>page</p>");
  expect((await sendProbe(new URL(given), { providers: [], send })).url.href).toBe(found);
});
