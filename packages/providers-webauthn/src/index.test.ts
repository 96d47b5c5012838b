import { type AuthConfig, createAuth } from "@cardea/core";
import { createAuthenticator, createBrowser, createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { Passkey, WebAuthn } from "./index.ts";

const ORIGIN = "https://app.example.com";

function setUp(providers: AuthConfig["providers"] = [Passkey()]) {
  const memory = createMemoryAdapter();
  const errors: string[] = [];
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: memory.adapter,
    providers,
    experimental: { enableWebAuthn: true },
    logger: {
      error: (error) => void errors.push(error.message),
      warn: (code) => void errors.push(code),
      debug: () => undefined,
    },
  });
  const browser = createBrowser(handlers.GET, { origin: ORIGIN });
  const options = async (id: string, query: string) =>
    (await browser.fetch(`/auth/webauthn-options/${id}?${query}`)).json();
  const answer = async (id: string, action: string, data: object) => {
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    return browser.fetch(`/auth/callback/${id}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-auth-return-redirect": "1" },
      body: JSON.stringify({ action, data: JSON.stringify(data), csrfToken, callbackUrl: "/dash" }),
    });
  };
  return { memory, errors, browser, options, answer };
}

describe.each([
  ["Passkey", "passkey", Passkey],
  ["WebAuthn", "webauthn", WebAuthn],
] as const)("%s()", (_name, id, provider) => {
  it("registers a new person and signs them in again", async () => {
    const { memory, errors, browser, options, answer } = setUp([provider()]);
    const authenticator = createAuthenticator();
    const registration = await options(id, "action=register&email=Ann@Example.com");
    expect(registration.action).toBe("register");
    const registered = await answer(id, "register", await authenticator.create(registration.options));
    expect([errors.slice(1), await registered.json()]).toEqual([[], { url: `${ORIGIN}/dash` }]);
    expect(memory.snapshot()).toMatchObject({
      users: [{ email: "ann@example.com", emailVerified: null }],
      accounts: [{ provider: id, type: "webauthn" }],
      authenticators: [{ counter: 1, transports: "hybrid,internal", credentialDeviceType: "singleDevice" }],
    });
    browser.cookies.clear();
    const authentication = await options(id, "action=authenticate");
    expect(authentication.options.allowCredentials).toEqual([]);
    const signedIn = await answer(id, "authenticate", await authenticator.get(authentication.options));
    expect([errors.slice(1), await signedIn.json()]).toEqual([[], { url: `${ORIGIN}/dash` }]);
    expect(memory.snapshot().authenticators).toMatchObject([{ counter: 2 }]);
    const session = await browser.fetch("/auth/session");
    expect(await session.json()).toMatchObject({ user: { email: "ann@example.com" } });
  });
});
