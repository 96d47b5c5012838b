import { memoryStore } from "@cardea/core/adapters";
import { Passkey } from "@cardea/providers-webauthn";
import { createAuthenticator } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { codeOf, PASSWORD, STRATEGIES, startApplication } from "../test/open-application.ts";
import { passkey, recoveryCodes, type SecondFactorOptions, secondFactor, secondFactorOf, totp } from "./index.ts";

const factors = [totp({ issuer: "Acme" }), passkey(), recoveryCodes()];

describe.each(STRATEGIES)("passkey(), %s sessions", (strategy) => {
  function open(options: SecondFactorOptions = {}, provider = Passkey()) {
    const app = startApplication(
      {},
      {
        strategy,
        store: memoryStore({ instances: 1 }),
        experimental: { enableWebAuthn: true },
        extensions: [secondFactor({ factors, ...options })],
        providers: [provider, PASSWORD],
      },
    );
    return { ...app, authenticator: createAuthenticator() };
  }

  /** Adds a passkey to the user of a session. */
  async function add(
    { authenticator }: ReturnType<typeof open>,
    who: ReturnType<ReturnType<typeof open>["newBrowser"]>,
  ) {
    const asked = await (await who.browser.fetch("/auth/webauthn-options/passkey?action=register")).json();
    const data = JSON.stringify(await authenticator.create(asked.options));
    return who.send("/auth/callback/passkey", { action: "register", data });
  }

  /** Ann has a passkey, and the password `right`. */
  async function start(options: { readonly passkeyIsEnough?: boolean } = {}) {
    const app = open(options);
    const setUp = app.newBrowser();
    await setUp.signIn();
    await add(app, setUp);
    await setUp.send("/auth/signout");
    return app;
  }
  type App = Awaited<ReturnType<typeof start>>;
  type Someone = ReturnType<App["newBrowser"]>;

  /** Answers the question of a browser with a passkey. */
  async function prove(who: Someone, authenticator: App["authenticator"], pending: string) {
    const question = await who.browser.fetch(`/auth/factor/passkey?pending=${pending}`);
    const { options, state, provider, action } = await question.json();
    const data = JSON.stringify(await authenticator.get(options));
    return { pending, state, provider, action, data };
  }

  /** Signs in by the password, and returns which sign-in waits. */
  async function begin(who: Someone, username = "ann") {
    const { code, url } = await (await who.signIn(username)).json();
    expect([code, who.hasSession()]).toEqual(["factor", false]);
    return new URL(url).searchParams.get("pending") ?? "";
  }

  it("is asked for after a password, and counts once", async () => {
    const app = await start();
    const ann = app.newBrowser();
    const pending = await begin(ann);
    const answer = await prove(ann, app.authenticator, pending);
    const page = await (await ann.browser.navigate(`/auth/factor?pending=${pending}`)).text();
    expect(page).toContain("/auth/webauthn-script?v=");
    expect(page).toContain(`name="pending" value="${pending}"`);
    expect((await ann.send("/auth/factor/passkey", answer)).status).toBe(200);
    expect(await ann.session()).toMatchObject({ user: { email: "ann@example.com" } });
    const again = app.newBrowser();
    const second = await begin(again);
    expect((await again.send("/auth/factor/passkey", { ...answer, pending: second })).status).toBe(401);
    expect(again.hasSession()).toBe(false);
  });

  it("is asked of a session from before it was added, and not of the one in which it was", async () => {
    const app = open();
    const [before, own] = [app.newBrowser(), app.newBrowser()];
    await before.signIn();
    await own.signIn();
    expect(await before.session()).not.toBeNull();
    const signedIn = app.now();
    app.clock.advance({ seconds: 61 });
    await add(app, own);
    const times = app.memory.snapshot().sessionInfos.flatMap(({ factors }) => factors.map(({ t }) => t));
    expect(Math.max(...times), "adding it does not make the session recent").toBe(signedIn);
    app.clock.advance({ seconds: 61 });
    expect([await before.session(), await own.session()]).toEqual([null, expect.anything()]);
    const question = await (await before.browser.fetch("/auth/factor/passkey")).json();
    const { options, state, provider, action } = question;
    const data = JSON.stringify(await app.authenticator.get(options));
    await before.send("/auth/factor/passkey", { state, provider, action, data });
    expect(await before.session()).toMatchObject({ user: { email: "ann@example.com" } });
    // The factors themselves change after a proof of one only.
    expect((await own.send("/auth/factors/totp", { step: "begin" })).status).toBe(401);
  });

  it("takes no answer to the question of another browser or sign-in of the same user", async () => {
    const app = await start();
    const [ann, other] = [app.newBrowser(), app.newBrowser()];
    const [pending, second, elsewhere] = [await begin(ann), await begin(ann), await begin(other)];
    const answer = await prove(ann, app.authenticator, pending);
    for (const [who, named] of [
      [other, elsewhere],
      [ann, second],
    ] as const)
      expect((await who.send("/auth/factor/passkey", { ...answer, pending: named })).status).toBe(401);
    expect([ann.hasSession(), other.hasSession()]).toEqual([false, false]);
    expect((await ann.send("/auth/factor/passkey", answer)).status).toBe(200);
  });

  it("takes no passkey of another user, and none that did not answer", async () => {
    const app = await start();
    const ann = app.newBrowser();
    const pending = await begin(ann);
    const good = await prove(ann, app.authenticator, pending);
    const stranger = createAuthenticator();
    for (const forged of [
      { ...good, data: "{}" },
      { ...good, state: "x" },
      { ...good, provider: "nope" },
      { ...good, data: JSON.stringify({ ...JSON.parse(good.data), id: "AAAA", rawId: "AAAA" }) },
    ])
      expect((await ann.send("/auth/factor/passkey", forged)).status).toBe(401);
    await expect(stranger.get({ challenge: "AAAA", rpId: "app.example.com" })).rejects.toThrow();
    expect(ann.hasSession()).toBe(false);
  });

  it("is both factors as the first step, unless that is off; then it is not the second step as well", async () => {
    for (const passkeyIsEnough of [true, false]) {
      const app = await start({ passkeyIsEnough });
      const ann = app.newBrowser();
      const asked = await (await ann.browser.fetch("/auth/webauthn-options/passkey?action=authenticate")).json();
      const data = JSON.stringify(await app.authenticator.get(asked.options));
      const answer = await ann.send("/auth/callback/passkey", { action: "authenticate", data });
      const { url } = await answer.json();
      expect(ann.hasSession()).toBe(passkeyIsEnough);
      if (passkeyIsEnough) continue;
      const pending = new URL(url).searchParams.get("pending") ?? "";
      await ann.send("/auth/factor/passkey", await prove(ann, app.authenticator, pending));
      expect(ann.hasSession(), "one passkey is one factor").toBe(false);
    }
  });

  it("does not prove, while it is being added, the one that its user has", async () => {
    const require: SecondFactorOptions["require"] = ({ account }) =>
      account?.type === "webauthn" ? "always" : "never";
    const app = open({ factors: [totp({ issuer: "Acme" })], require });
    const ann = app.newBrowser();
    await ann.signIn();
    const key = { credentialID: "AAAA", providerAccountId: "AAAA", credentialPublicKey: "AAAA", counter: 0 };
    const device = { credentialDeviceType: "singleDevice", credentialBackedUp: false, transports: null };
    await app.memory.adapter.createAuthenticator({ userId: "ann", ...key, ...device });
    const { code, url } = await (await add(app, ann)).json();
    const asked = await ann.browser.fetch(url, { headers: { accept: "application/json" } });
    expect([code, asked.status, (await asked.json()).code]).toEqual(["factor", 403, "passkey_required"]);
  });

  it("lets its user enrol an app, also where it did not verify them", async () => {
    const setting: { require: "if-enrolled" | "always" } = { require: "if-enrolled" };
    const provider = Passkey({ verifyAuthenticationOptions: { requireUserVerification: false } });
    const app = open({ factors: [totp({ issuer: "Acme" })], require: () => setting.require }, provider);
    const ann = app.newBrowser();
    await ann.signIn();
    await add(app, ann);
    await ann.send("/auth/signout");
    setting.require = "always";
    const question = await ann.browser.fetch("/auth/webauthn-options/passkey?action=authenticate");
    const { options } = await question.json();
    const data = JSON.stringify(await app.authenticator.get(options, { userVerified: false }));
    await ann.send("/auth/callback/passkey", { action: "authenticate", data });
    expect([ann.hasSession(), (await ann.asked()).enrol?.secret]).toEqual([
      false,
      expect.stringMatching(/^[A-Z2-7]{32}$/),
    ]);
  });

  it("stands beside an app and codes, and is unlinked where its user has lost it", async () => {
    const app = await start();
    const ann = app.newBrowser();
    await ann.send("/auth/factor/passkey", await prove(ann, app.authenticator, await begin(ann)));
    expect(await (await ann.browser.fetch("/auth/factors")).json()).toEqual({
      totp: [],
      passkey: true,
      recoveryCodesLeft: 0,
    });
    const { enrol } = await (await ann.send("/auth/factors/totp", { step: "begin" })).json();
    const fields = { step: "confirm", setup: enrol.setup, code: codeOf(enrol.secret, app.now()) };
    const { recoveryCodes: codes } = await (await ann.send("/auth/factors/totp", fields)).json();
    expect(codes).toHaveLength(10);
    const { totp: apps } = await (await ann.browser.fetch("/auth/factors")).json();
    await ann.send("/auth/factors/totp", { step: "remove", id: apps[0].id });
    expect(await (await ann.browser.fetch("/auth/factors")).json(), "codes stand in for the passkey").toMatchObject({
      totp: [],
      recoveryCodesLeft: 10,
    });
    expect(await secondFactorOf(app.auth).reset("ann", { by: "admin", passkeys: true })).toBe(2);
    const free = app.newBrowser();
    await free.signIn();
    expect(free.hasSession(), "nothing is enrolled any more").toBe(true);
  });
});

describe("secondFactor()", () => {
  it("needs the adapter's methods for passkeys where it offers them", () => {
    const { adapter } = startApplication().memory;
    const { getAuthenticator: _, ...without } = adapter;
    const extensions = [secondFactor({ factors })];
    expect(() => startApplication({}, { adapter: without, extensions })).toThrow("getAuthenticator");
    expect(() => startApplication({}, { adapter: without })).not.toThrow();
  });
});
