import type { AuthConfig } from "@cardea/core";
import type { Adapter, AdapterAccount } from "@cardea/core/adapters";
import { Passkey } from "@cardea/providers-webauthn";
import { describe, expect, it } from "vitest";
import { mailOf, startApplication, type TestOptions } from "./open-application.ts";

const account = (provider: string, userId = "ann", providerAccountId = "1"): AdapterAccount => ({
  ...{ userId, type: "oauth", provider, providerAccountId },
});

/** Without links by e-mail, by which everyone could sign in. */
const withoutMail = (providers: readonly string[] = ["github", "gitlab"]): Partial<AuthConfig> => ({
  providers: [
    ...providers.map((id) => ({
      ...({ id, name: id, type: "oauth", clientId: "app", clientSecret: "s" } as const),
      ...{ authorization: `https://${id}.example/a`, token: `https://${id}.example/t` },
      userinfo: `https://${id}.example/u`,
    })),
    {
      ...({
        id: "password",
        name: "Password",
        type: "credentials",
        credentials: { username: {}, password: {} },
      } as const),
      authorize: ({ username }) => (typeof username === "string" ? { id: username } : null),
    },
  ],
});

const left = ({ memory }: ReturnType<typeof startApplication>) =>
  memory.snapshot().accounts.map(({ userId, provider }) => `${userId} ${provider}`);

async function open(options: TestOptions) {
  const app = startApplication(options);
  const ann = app.newBrowser();
  await ann.signIn();
  return { app, ann };
}

/** An adapter without some methods, as those of Auth.js are. */
const without =
  (...names: readonly (keyof Adapter)[]) =>
  (adapter: Adapter): Adapter =>
    Object.fromEntries(Object.entries(adapter).filter(([name]) => !names.some((one) => one === name)));

describe("removing a way to sign in", () => {
  it("removes an account, but not the last one, tells its user, and reports it", async () => {
    const { app, ann } = await open({ accounts: [account("github"), account("gitlab")], config: withoutMail() });
    expect(await ann.post("unlink", account("github") as never)).toMatchObject({ status: 200 });
    expect(mailOf(app.mails, "method-removed")).toMatchObject({
      to: "ann@example.com",
      text: expect.stringContaining("github"),
    });
    expect(app.facts).toContainEqual(
      expect.objectContaining({
        kind: "method.removed",
        userId: "ann",
        by: "owner",
        method: "account",
        provider: "github",
      }),
    );
    expect(await ann.post("unlink", account("gitlab") as never)).toEqual({ status: 409, body: { error: "last" } });
    expect(left(app)).toEqual(["ann gitlab"]);
  });

  it("removes the last account of a user who can sign in by a link", async () => {
    const { app, ann } = await open({ accounts: [account("github")] });
    expect(await ann.post("unlink", account("github") as never)).toMatchObject({ status: 200 });
    expect(left(app)).toEqual([]);
  });

  it("counts no account of a provider that is no longer configured", async () => {
    const { app, ann } = await open({
      accounts: [account("github"), account("former")],
      config: withoutMail(),
    });
    expect(await ann.post("unlink", account("github") as never)).toMatchObject({ status: 409 });
    expect(await ann.post("unlink", account("former") as never)).toMatchObject({ status: 200 });
    expect(left(app)).toEqual(["ann github"]);
  });

  it.each<[string, Record<string, string>]>([
    ["an account", { provider: "github", providerAccountId: "bob" }],
    ["a passkey", { passkey: "key of bob" }],
    ["a password that Ann does not have", { password: "remove" }],
    ["nothing", {}],
    ["half of a key", { provider: "github" }],
  ])("does not know %s of another user", async (_name, fields) => {
    const { app, ann } = await open({
      accounts: [account("github"), account("github", "bob", "bob"), account("gitlab", "bob")],
    });
    await app.memory.adapter.createAuthenticator({
      ...{ userId: "bob", credentialID: "key of bob", providerAccountId: "key of bob", credentialPublicKey: "k" },
      ...{ counter: 0, credentialDeviceType: "singleDevice", credentialBackedUp: false },
    });
    const before = app.memory.snapshot();
    expect(await ann.post("unlink", fields)).toEqual({ status: 404, body: { error: "missing" } });
    expect(app.memory.snapshot()).toEqual(before);
  });

  it("ends the sessions that came from it, that of the request included", async () => {
    const { app, ann } = await open({ accounts: [account("password", "ann", "ann"), account("gitlab")] });
    const other = app.newBrowser();
    await other.signInByMail(app.signInLinks);
    expect(await ann.post("unlink", account("password", "ann", "ann") as never)).toMatchObject({ status: 401 });
    app.clock.advance({ seconds: 3 });
    expect([await ann.session(), await other.session()]).toEqual([null, expect.any(Object)]);
  });

  it("is the same for an administrator", async () => {
    const { app, ann } = await open({ accounts: [account("github"), account("gitlab")], config: withoutMail() });
    const { operations } = app;
    expect(await operations.unlink("ann", account("github"), { by: "admin" })).toBe("removed");
    expect(await operations.unlink("ann", account("github"))).toBe("missing");
    expect(await operations.unlink("bob", account("gitlab"))).toBe("missing");
    expect(await operations.unlink("ann", account("gitlab"))).toBe("last");
    expect(await ann.session()).not.toBeNull();
    expect(await operations.get("ann")).toMatchObject({ accounts: [{ provider: "gitlab", isOffered: true }] });
  });

  it.each([
    ["the database", undefined],
    ["a lease in the store", without("removeSignInMethod")],
  ])("leaves one of two ways in a hundred races, decided by %s", async (_name, adapt) => {
    for (let n = 0; n < 100; n++) {
      const app = startApplication({
        accounts: [account("github"), account("gitlab")],
        config: withoutMail(),
        ...(adapt === undefined ? {} : { adapt }),
      });
      const outcomes = await Promise.all(["github", "gitlab"].map((one) => app.operations.unlink("ann", account(one))));
      expect([...outcomes].sort()).toEqual(["last", "removed"]);
      expect(left(app)).toHaveLength(1);
    }
  });

  it("works with an adapter that cannot list accounts where another way is certain", async () => {
    const adapt = without("removeSignInMethod", "listAccountsByUserId");
    const certain = await open({ accounts: [account("github"), account("github", "bob", "bob")], adapt });
    expect(await certain.ann.post("unlink", account("github") as never)).toMatchObject({ status: 200 });
    expect(await certain.ann.post("unlink", account("github", "bob", "bob") as never)).toMatchObject({ status: 404 });
    expect(left(certain.app)).toEqual(["bob github"]);
    const uncertain = await open({ accounts: [account("github"), account("gitlab")], adapt, config: withoutMail() });
    expect(await uncertain.ann.post("unlink", account("github") as never)).toMatchObject({
      body: { error: "unavailable" },
    });
    expect(left(uncertain.app)).toHaveLength(2);
    expect(certain.app.log.filter((line) => line.includes("account-off"))).toEqual([
      expect.stringContaining("listAccountsByUserId"),
    ]);
  });
});

describe("naming a passkey", () => {
  const KEY = "a2V5IG9mIGFubg==";

  async function openPasskeys(options: TestOptions = {}) {
    const { providers = [] } = withoutMail([]);
    const opened = await open({
      config: { providers: [...providers, Passkey()], experimental: { enableWebAuthn: true } },
      ...options,
    });
    const shared = {
      credentialPublicKey: "k",
      counter: 0,
      credentialDeviceType: "multiDevice",
      credentialBackedUp: true,
    };
    for (const [userId, credentialID, name] of [
      ["ann", KEY, "Bitwarden"],
      ["bob", "a2V5IG9mIGJvYg==", null],
    ] as const) {
      const row = { userId, credentialID, providerAccountId: credentialID, ...shared };
      await opened.app.memory.adapter.createAuthenticator({
        ...row,
        name,
        createdAt: new Date(0),
        usedAt: new Date(0),
      });
    }
    return opened;
  }
  const namesOf = ({ memory }: ReturnType<typeof startApplication>) =>
    memory.snapshot().authenticators.map(({ userId, name }) => `${userId} ${name}`);

  it("shows name, place and times, and stores the name that its user gives it", async () => {
    const { app, ann } = await openPasskeys();
    const shown = await (await ann.browser.navigate("/auth/account")).text();
    expect(shown).toMatch(
      /<strong>Bitwarden<\/strong>.*On all your devices.*Added on January 1, 1970.*Last used <time/s,
    );
    expect(await ann.post("rename", { passkey: KEY, name: " <b>Phone</b> " })).toMatchObject({ status: 200 });
    expect(namesOf(app)).toEqual(["ann <b>Phone</b>", "bob null"]);
    expect(await (await ann.browser.navigate("/auth/account")).text()).toContain(
      "<strong>&#60;b&#62;Phone&#60;/b&#62;</strong>",
    );
    expect(mailOf(app.mails, "passkey-renamed").text).toContain("<b>Phone</b>");
    expect(app.facts).toContainEqual(expect.objectContaining({ kind: "method.renamed", userId: "ann" }));
    await ann.post("rename", { passkey: KEY, name: "" });
    expect(namesOf(app)).toEqual(["ann null", "bob null"]);
  });

  it.each([
    ["of another user", { passkey: "a2V5IG9mIGJvYg==", name: "x" }, 404, "missing"],
    ["of no one", { passkey: "x", name: "x" }, 404, "missing"],
    ["with a name that is too long", { passkey: KEY, name: "x".repeat(101) }, 400, "invalid-passkey-name"],
    ["without a name", { passkey: KEY }, 400, "invalid-passkey-name"],
    ["with a control character", { passkey: KEY, name: "x\u0007" }, 400, "invalid-passkey-name"],
  ])("does not name a passkey %s", async (_, fields, status, error) => {
    const { app, ann } = await openPasskeys();
    expect(await ann.post("rename", fields)).toEqual({ status, body: { error } });
    expect(namesOf(app)).toEqual(["ann Bitwarden", "bob null"]);
  });

  it("offers no name that the adapter cannot store", async () => {
    const { ann } = await openPasskeys({ adapt: without("updateAuthenticator") });
    expect(await (await ann.browser.navigate("/auth/account")).text()).not.toContain("account/rename");
    expect(await ann.post("rename", { passkey: KEY, name: "x" })).toEqual({
      status: 400,
      body: { error: "unavailable" },
    });
  });
});
