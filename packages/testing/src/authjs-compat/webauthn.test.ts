// The passkey providers of @auth/core as they come from npm, with the version of @simplewebauthn/server that they ask for.
import AuthJsPasskey from "@auth/core/providers/passkey";
import AuthJsWebAuthn from "@auth/core/providers/webauthn";
import { createAuth } from "@cardea/core";
import type { Provider } from "@cardea/core/providers";
import { describe, expect, it } from "vitest";
import { createAuthenticator } from "../authenticator.ts";
import { createBrowser } from "../browser.ts";
import { createMemoryAdapter } from "../memory-adapter.ts";

const ORIGIN = "https://app.example.com";

function setUp(provider: Provider) {
  const memory = createMemoryAdapter();
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: memory.adapter,
    providers: [provider],
    experimental: { enableWebAuthn: true },
    logger: { warn: (w) => w.startsWith("exp") || console.log(w), debug: () => undefined },
  });
  const browser = createBrowser(handlers.GET, { origin: ORIGIN });
  const authenticator = createAuthenticator({ backedUp: true });
  const options = async (id: string, query: string) =>
    (await browser.fetch(`/auth/webauthn-options/${id}?${query}`)).json();
  const answer = async (id: string, action: string, data: object) => {
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    // As signIn() of next-auth/webauthn sends it.
    const body = new URLSearchParams({ action, data: JSON.stringify(data), csrfToken, callbackUrl: "/dash" });
    const headers = { "x-auth-return-redirect": "1" };
    return (await browser.fetch(`/auth/callback/${id}`, { method: "POST", headers, body })).json();
  };
  return { memory, browser, authenticator, options, answer };
}

describe.each([
  { id: "passkey", provider: AuthJsPasskey({}) },
  { id: "webauthn", provider: AuthJsWebAuthn({ relayingParty: { id: "example.com", name: "Example" } }) },
])("$id of @auth/core", ({ id, provider }) => {
  it("signs up, adds a second passkey, and signs in by address and without", async () => {
    const { memory, browser, authenticator, options, answer } = setUp(provider);
    const first = await options(id, "action=register&email=Ann@Example.com");
    const rpId = id === "passkey" ? "app.example.com" : "example.com";
    expect(first.options).toMatchObject({ rp: { id: rpId }, user: { name: "ann@example.com" } });
    expect(await answer(id, "register", await authenticator.create(first.options))).toEqual({ url: `${ORIGIN}/dash` });

    const second = await options(id, "action=register");
    const taken = memory.snapshot().authenticators.map(({ credentialID }) => credentialID);
    expect(second.options.excludeCredentials.map(({ id: one }: { id: string }) => toStored(one))).toEqual(taken);
    const other = createAuthenticator({ transports: ["usb"] });
    expect(await answer(id, "register", await other.create(second.options))).toEqual({ url: `${ORIGIN}/dash` });

    browser.cookies.clear();
    const typed = await options(id, "action=authenticate&email=ann@example.com");
    expect(await answer(id, "authenticate", await other.get(typed.options))).toEqual({ url: `${ORIGIN}/dash` });
    browser.cookies.clear();
    const discovered = await options(id, "action=authenticate");
    const assertion = await authenticator.get(discovered.options);
    expect(await answer(id, "authenticate", assertion)).toEqual({ url: `${ORIGIN}/dash` });
    expect(memory.snapshot()).toMatchObject({
      users: [{ email: "ann@example.com" }],
      accounts: [{ type: "webauthn" }, { type: "webauthn" }],
      authenticators: [
        { counter: 2, transports: "hybrid,internal", credentialBackedUp: true, credentialDeviceType: "multiDevice" },
        { counter: 2, transports: "usb", credentialBackedUp: false, credentialDeviceType: "singleDevice" },
      ],
    });
  });
});

/** As tables made by Auth.js have it: standard base64. */
function toStored(id: string): string {
  return Buffer.from(id, "base64url").toString("base64");
}
