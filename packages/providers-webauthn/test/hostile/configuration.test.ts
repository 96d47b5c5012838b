import { type AuthConfig, createAuth } from "@cardea/core";
import { Passkey, WebAuthn, type WebAuthnOptions } from "@cardea/providers-webauthn";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { BASE, ORIGIN, SECRET, setUp } from "../../../core/test/harness/harness.ts";
import { setUpPasskeys } from "../../../core/test/harness/passkey-app.ts";

/** What is thrown, and warned of, when an application with passkeys starts. */
function startWith(config: Partial<AuthConfig>): { readonly error: Error | undefined; readonly warnings: string[] } {
  const warnings: string[] = [];
  const logger = { warn: (code: string) => void warnings.push(code), error: () => undefined, debug: () => undefined };
  const { adapter } = createMemoryAdapter();
  const experimental = { enableWebAuthn: true };
  try {
    createAuth({ secret: SECRET, logger, adapter, providers: [Passkey()], experimental, ...config });
    return { error: undefined, warnings };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)), warnings };
  }
}

describe("the configuration of passkeys", () => {
  it("spec 9.5 spec 9 experimental is an experiment: off unless it is switched on", () => {
    for (const experimental of [undefined, {}, { enableWebAuthn: false }]) {
      const { error } = startWith({ experimental });
      expect(error).toMatchObject({ type: "InvalidConfiguration" });
      expect(error?.message).toContain('`experimental.enableWebAuthn` must be true for provider "passkey"');
    }
  });

  it("spec 9.5 warns once for each configuration when it is on, with a provider or without", async () => {
    const warning = expect.stringMatching(/^experimental-webauthn: /);
    expect(startWith({})).toEqual({ error: undefined, warnings: [warning] });
    expect(startWith({ providers: [] })).toEqual({ error: undefined, warnings: [warning] });
    const app = setUp({ config: { experimental: { enableWebAuthn: true } } });
    await Promise.all([app.session(), app.session()]);
    // A request does not wait for the logger, which is loaded on first use.
    await expect
      .poll(() => app.logs.filter(({ level }) => level === "warn").map(({ text }) => text))
      .toEqual([warning]);
  });

  it("spec 4.1 webauthn-options answers 400 when passkeys are off", async () => {
    const app = setUp();
    const answer = await app.send(`${BASE}/webauthn-options/passkey?action=authenticate`);
    expect([answer.status, Object.keys(await answer.json())]).toEqual([400, ["message"]]);
  });

  it("needs an adapter", () => {
    expect(startWith({ adapter: undefined }).error).toMatchObject({ type: "MissingAdapter" });
  });

  it("names every method that the adapter lacks, and asks for no others", () => {
    const { error } = startWith({ adapter: {}, session: { strategy: "jwt" } });
    const missing = [
      ...["getUser", "getUserByAccount", "getUserByEmail", "createUser", "linkAccount", "getAuthenticator"],
      ...["createAuthenticator", "listAuthenticatorsByUserId", "updateAuthenticatorCounter"],
      ...["createVerificationToken", "useVerificationToken"],
    ];
    expect(error).toMatchObject({ type: "MissingAdapterMethods", cause: { missing } });
    const adapter = Object.fromEntries(missing.map((name) => [name, () => null]));
    expect(startWith({ adapter, session: { strategy: "jwt" } }).error).toBeUndefined();
  });

  it("has autofill by one provider, in a field that says so", () => {
    const two = startWith({ providers: [Passkey(), WebAuthn()] }).error;
    expect(two).toMatchObject({ type: "DuplicateConditionalUI" });
    expect(two?.message).toContain('"passkey" and "webauthn"');
    expect(startWith({ providers: [Passkey(), WebAuthn({ enableConditionalUI: false })] }).error).toBeUndefined();
    const formFields = { email: { autocomplete: "email" } };
    expect(startWith({ providers: [Passkey({ formFields })] }).error).toMatchObject({
      type: "MissingWebAuthnAutocomplete",
    });
    expect(startWith({ providers: [Passkey({ formFields, enableConditionalUI: false })] }).error).toBeUndefined();
  });

  it.each([
    [{ relayingParty: { id: "https://example.com" } }, "relayingParty.id"],
    [{ relayingParty: { id: ["example.com", "example.com:8080"] } }, "relayingParty.id"],
    [{ relayingParty: { id: "" } }, "relayingParty.id"],
    [{ relayingParty: { name: "" } }, "relayingParty.name"],
    [{ relayingParty: { origin: "app.example.com" } }, "relayingParty.origin"],
    [{ relayingParty: { origin: ["https://app.example.com", "https://app.example.com/"] } }, "relayingParty.origin"],
    [{ relayingParty: { origin: "https://APP.example.com" } }, "relayingParty.origin"],
    [{ maxSignInAge: 0 }, "maxSignInAge"],
    [{ maxSignInAge: 24 * 60 * 60 + 1 }, "maxSignInAge"],
    [{ maxSignInAge: 1.5 }, "maxSignInAge"],
    [{ hints: ["phone"] as never }, "hints"],
    [{ hints: "hybrid" as never }, "hints"],
  ] satisfies [WebAuthnOptions, string][])("H221 refuses to start with %j", (options, member) => {
    const { error } = startWith({ providers: [Passkey(options)] });
    expect(error?.message).toContain(`\`providers[0].${member}\` of provider "passkey"`);
  });

  it.each([
    { relayingParty: { id: "localhost", origin: "http://localhost:3000" } },
    { relayingParty: { id: ["example.com"], origin: ["https://app.example.com:8443", "android:apk-key-hash:abc"] } },
    { maxSignInAge: 1 },
  ] satisfies WebAuthnOptions[])("starts with %j", (options) => {
    expect(startWith({ providers: [Passkey(options)] }).error).toBeUndefined();
  });

  it("has one secret for the decoys of all providers", () => {
    const decoySecret = "a permanent secret of more than thirty-two bytes";
    const second = (options: WebAuthnOptions) => WebAuthn({ enableConditionalUI: false, ...options });
    const { error } = startWith({ providers: [Passkey({ decoySecret }), second({})] });
    expect(error?.message).toContain('"passkey" and "webauthn" have different values of `decoySecret`');
    expect(startWith({ providers: [Passkey({ decoySecret }), second({ decoySecret })] }).error).toBeUndefined();
  });

  it("says which package brings the library that is missing", () => {
    const provider = { ...Passkey(), simpleWebAuthn: parseNothing({}) };
    const { error } = startWith({ providers: [provider] });
    expect(error?.message).toContain('`providers[0].simpleWebAuthn` of provider "passkey" lacks generate');
    expect(error?.message).toContain("@cardea/providers-webauthn");
  });

  it("refuses a provider object that brings no way to sign in, and says which package does", () => {
    const { extension: _way, ...foreign } = Passkey();
    const { error } = startWith({ providers: [foreign] });
    expect(error).toMatchObject({ type: "InvalidConfiguration" });
    expect(error?.message).toContain('`providers[0]` of provider "passkey" has no passkey sign-in');
    expect(error?.message).toContain("@cardea/providers-webauthn");
  });

  it("spec 1.1 webauthn is on the sign-in page and in the list of providers", async () => {
    const app = setUpPasskeys();
    const page = await app.browser.navigate(`${BASE}/signin`);
    expect(await page.text()).toContain(`${ORIGIN}${BASE}/webauthn-options/passkey`);
    const listed = await (await app.send(`${BASE}/providers`)).json();
    expect(listed).toContainEqual({
      id: "passkey",
      name: "Passkey",
      type: "webauthn",
      signinUrl: `${ORIGIN}${BASE}/signin/passkey`,
      callbackUrl: `${ORIGIN}${BASE}/callback/passkey`,
    });
  });

  it("spec 1.1 webauthn signs in, is a session and signs out", async () => {
    const app = setUpPasskeys();
    await app.register();
    expect(await app.session()).toMatchObject({ user: { email: "ann@example.com" } });
    await app.signOut();
    expect(await app.session()).toBeNull();
    await app.authenticate();
    expect(await app.session()).toMatchObject({ user: { email: "ann@example.com" } });
  });

  it("spec 4.2 signIn() with a passkey provider leads to the sign-in page: it has the script", async () => {
    const app = setUpPasskeys();
    const { signIn } = createAuth(app.config);
    const answer = await signIn(new Request(`${ORIGIN}/`), "passkey", { redirectTo: "/dash" });
    const place = new URL(answer.headers.get("location") ?? "");
    expect(place.pathname).toBe("/auth/signin".replace("/auth", BASE));
    expect(place.searchParams.get("callbackUrl")).toBe(`${ORIGIN}/dash`);
    const posted = await app.post(`${BASE}/signin/passkey`);
    expect(posted.redirectsTo).toBe(`${ORIGIN}${BASE}/signin/passkey`);
    expect((await app.browser.navigate(posted.redirectsTo ?? "")).status).toBe(200);
  });

  it("asks what an application wants to know, and makes the user of it", async () => {
    const seen: unknown[] = [];
    const app = setUpPasskeys({
      passkey: {
        formFields: { login: { label: "Login", autocomplete: "username webauthn" } },
        getUserInfo: async ({ adapter, provider, url, action }, { query, headers, cookies, method }) => {
          seen.push({
            id: provider.id,
            path: url.pathname,
            action,
            method,
            query,
            headers: typeof headers,
            cookies: typeof cookies,
          });
          const { login } = query;
          if (login === undefined) return null;
          const user = await adapter.getUserByEmail?.(`${login}@Corp.Example`.toLowerCase());
          return user
            ? { user, exists: true }
            : { user: { name: login, email: `${login}@Corp.Example` }, exists: false };
        },
      },
    });
    expect(await (await app.register("login=ann")).json()).toEqual({ url: `${ORIGIN}/dash` });
    expect(app.memory.snapshot().users).toMatchObject([{ name: "ann", email: "ann@corp.example" }]);
    await app.signOut();
    expect(await (await app.authenticate("login=ann")).json()).toEqual({ url: `${ORIGIN}/dash` });
    await app.signOut();
    expect((await app.ask("action=register")).status).toBe(400);
    const taken = await app.register("login=ann");
    expect((await taken.json()).url).toContain("error=OAuthAccountNotLinked");
    const facts = { id: "passkey", method: "GET", query: { login: "ann" }, headers: "object", cookies: "object" };
    expect(seen.slice(0, 2)).toEqual([
      { ...facts, action: "webauthn-options", path: `${BASE}/webauthn-options/passkey` },
      { ...facts, action: "callback", path: `${BASE}/callback/passkey` },
    ]);
  });

  it("makes a user without an address where an application asks for none", async () => {
    const getUserInfo: WebAuthnOptions["getUserInfo"] = (_facts, { query }) =>
      query.nick === undefined ? null : { user: { name: query.nick }, exists: false };
    const app = setUpPasskeys({ passkey: { getUserInfo } });
    for (const nick of ["ann", "ann"]) {
      expect(await (await app.register(`nick=${nick}`)).json()).toEqual({ url: `${ORIGIN}/dash` });
      await app.signOut();
    }
    expect(app.memory.snapshot().users).toMatchObject([
      { name: "ann", email: null },
      { name: "ann", email: null },
    ]);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("canary"))],
    ["returns nonsense", () => 7],
    ["returns a user without an id", () => ({ user: { name: "x" }, exists: true })],
  ])("a getUserInfo that %s is an error of the operator's", async (_, broken) => {
    const app = setUpPasskeys({ passkey: { getUserInfo: () => parseNothing(broken()) }, mayFail: true });
    expect((await app.ask("action=authenticate&email=ann@example.com")).status).toBe(500);
    expect(app.logs.filter(({ level }) => level === "error").map(({ text }) => text)).toEqual([
      expect.stringContaining("getUserInfo of provider"),
    ]);
  });
});

function parseNothing(value: unknown): never {
  return value as never;
}
