import type { Adapter } from "@cardea/core/adapters";
import { describe, expect, it } from "vitest";
import { mailOf, OLD, startApplication } from "./open-application.ts";

const NEW = "ann@new.example";

/** Longer than a sign-in counts as recent. */
const LATER = { minutes: 20 };

const addressOf = ({ memory }: ReturnType<typeof startApplication>, n = 0) => memory.snapshot().users[n]?.email;

/** Ann's address was changed to that of a thief. */
async function change(options: Parameters<typeof startApplication>[0] = {}) {
  const app = startApplication(options);
  const thief = app.newBrowser();
  await thief.signIn();
  await thief.post("email", { email: NEW });
  await thief.open(mailOf(app.mails, "confirm-address").url);
  expect(addressOf(app)).toBe(NEW);
  const undo = mailOf(app.mails, "address-changed");
  expect(undo.to).toBe(OLD);
  return { app, thief, undo: undo.url };
}

describe("a change of address", () => {
  it("is made when the owner of the new address opens the link, after a recent proof that is not the mailbox", async () => {
    const app = startApplication();
    const ann = app.newBrowser();
    await ann.signIn();
    expect(await ann.post("email", { email: NEW })).toMatchObject({ status: 200 });
    expect(app.mails.map(({ kind, to }) => [kind, to])).toEqual([["confirm-address", NEW]]);
    expect(addressOf(app)).toBe(OLD);
    const { text } = await ann.open(mailOf(app.mails, "confirm-address").url);
    expect(text).toContain("Your address was changed");
    expect(app.memory.snapshot().users[0]).toMatchObject({ email: NEW, emailVerified: expect.any(Date) });
    expect(mailOf(app.mails, "address-changed")).toMatchObject({
      to: OLD,
      url: expect.stringContaining("confirm?token="),
    });
    expect(app.facts).toContainEqual(expect.objectContaining({ kind: "address.changed", by: "owner", how: "change" }));
    // The session that confirmed it goes on.
    expect(await ann.data()).toMatchObject({ status: 200, body: { user: { email: NEW }, pendingAddress: null } });
  });

  it("ends every other session", async () => {
    const app = startApplication();
    const [ann, other] = [app.newBrowser(), app.newBrowser()];
    for (const one of [ann, other]) await one.signIn();
    await ann.post("email", { email: NEW });
    await ann.open(mailOf(app.mails, "confirm-address").url);
    app.clock.advance({ seconds: 3 });
    expect([await ann.session(), await other.session()]).toEqual([expect.any(Object), null]);
  });

  it.each(["confirm-address", "approve-address"] as const)(
    "waits for both mailboxes if the user has proven no more than a mailbox (%s first)",
    async (first) => {
      const app = startApplication();
      const ann = app.newBrowser();
      await ann.signInByMail(app.signInLinks);
      await ann.post("email", { email: NEW });
      expect(app.mails.map(({ kind, to }) => [kind, to])).toEqual([
        ["confirm-address", NEW],
        ["approve-address", OLD],
      ]);
      const second = first === "confirm-address" ? "approve-address" : "confirm-address";
      expect((await app.newBrowser().open(mailOf(app.mails, first).url)).text).toContain("One more step");
      expect(addressOf(app)).toBe(OLD);
      expect((await app.newBrowser().open(mailOf(app.mails, second).url)).text).toContain("Your address was changed");
      expect(addressOf(app)).toBe(NEW);
    },
  );

  it("is not made by a page visit, a HEAD request or a form of another site, and once only", async () => {
    const app = startApplication();
    const ann = app.newBrowser();
    await ann.signIn();
    await ann.post("email", { email: NEW });
    const { url = "" } = mailOf(app.mails, "confirm-address");
    const scanner = app.newBrowser().browser;
    for (const method of ["GET", "HEAD"]) await scanner.navigate(url, { method, initiator: "none" });
    const token = new URL(url).searchParams.get("token") ?? "";
    const forged = await scanner.navigate("/auth/account/confirm", {
      form: { token },
      initiator: "https://evil.example",
    });
    expect(forged.status).toBeGreaterThanOrEqual(300);
    expect(addressOf(app)).toBe(OLD);
    await ann.open(url);
    expect((await ann.open(url)).status).toBe(404);
  });

  it("answers the same for an address that another account has, whose owner is told", async () => {
    const answers = await Promise.all(
      [NEW, "bob@example.com"].map(async (email) => {
        const app = startApplication();
        const ann = app.newBrowser();
        await ann.signInByMail(app.signInLinks);
        const answer = await ann.post("email", { email });
        const page = await ann.browser.navigate("/auth/account?done=email", { initiator: "none" });
        const text = (await page.text()).replaceAll(email, "…").replaceAll(/value="[\w.~|%-]{40,}"/g, "");
        return { app, answer, text: text.replaceAll(/nonce="[^"]*"/g, "") };
      }),
    );
    expect(answers[1]?.answer).toEqual(answers[0]?.answer);
    expect(answers[1]?.text).toBe(answers[0]?.text);
    const [, taken] = answers;
    expect(taken?.app.mails.map(({ kind, to, url }) => [kind, to, url === undefined])).toEqual([
      ["address-taken", "bob@example.com", true],
      ["approve-address", OLD, false],
    ]);
  });

  it("goes to one of two users who confirm the same address", async () => {
    const app = startApplication();
    const links = [];
    for (const name of ["ann", "bob"]) {
      const browser = app.newBrowser();
      await browser.signIn(name);
      await browser.post("email", { email: NEW });
      links.push(mailOf(app.mails, "confirm-address").url);
    }
    const answers = await Promise.all(links.map((url) => app.newBrowser().open(url)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(app.memory.snapshot().users.filter(({ email }) => email === NEW)).toHaveLength(1);
  });

  it("ends with the sessions of its user; the link of the old address still ends sessions", async () => {
    const app = startApplication();
    const ann = app.newBrowser();
    await ann.signInByMail(app.signInLinks);
    await ann.post("email", { email: NEW });
    const [confirm, approve] = [mailOf(app.mails, "confirm-address"), mailOf(app.mails, "approve-address")];
    await ann.browser.navigate("/auth/sessions", { initiator: "none" });
    const other = app.newBrowser();
    await other.signIn();
    expect((await app.newBrowser().open(approve.url, "deny")).text).toContain("Your account is safe");
    app.clock.advance({ seconds: 3 });
    expect([await ann.session(), await other.session()]).toEqual([null, null]);
    expect((await app.newBrowser().open(confirm.url)).status).toBe(404);
    expect(addressOf(app)).toBe(OLD);
  });

  it.each(["", "two@example.com, three@example.com", "no address", OLD])("refuses the address %j", async (email) => {
    const app = startApplication();
    const ann = app.newBrowser();
    await ann.signIn();
    expect(await ann.post("email", { email })).toEqual({ status: 400, body: { error: "invalid-address" } });
    expect(app.mails).toEqual([]);
  });

  it("sends five links in ten minutes to one address and for one user", async () => {
    const app = startApplication();
    const ann = app.newBrowser();
    await ann.signIn();
    for (let n = 0; n < 5; n++) await ann.post("email", { email: NEW });
    expect(await ann.post("email", { email: `other+${NEW}` })).toEqual({ status: 429, body: { error: "too-many" } });
    expect(app.mails).toHaveLength(5);
  });

  it("can be cancelled before it is made", async () => {
    const app = startApplication();
    const ann = app.newBrowser();
    await ann.signIn();
    await ann.post("email", { email: NEW });
    expect(await ann.data()).toMatchObject({ body: { pendingAddress: NEW } });
    await ann.post("cancel", { what: "email" });
    expect(await ann.data()).toMatchObject({ body: { pendingAddress: null } });
    expect((await ann.open(mailOf(app.mails, "confirm-address").url)).status).toBe(404);
  });

  it("by an administrator asks the new mailbox alone: a lost mailbox is no dead end", async () => {
    const app = startApplication({ config: { basePath: "/auth" } });
    await expect(app.operations.changeEmail("ann", NEW)).rejects.toThrow("AUTH_URL");
    await expect(app.operations.changeEmail("ann", "nothing")).rejects.toThrow("not a single, valid e-mail address");
    await expect(app.operations.changeEmail("unknown", NEW)).rejects.toThrow("does not exist");
  });
});

describe("the link that undoes a change of address", () => {
  it("restores the address and ends every session, in a browser without one", async () => {
    const { app, thief, undo } = await change();
    expect((await app.newBrowser().open(undo)).text).toContain("Your address was restored");
    app.clock.advance({ seconds: 3 });
    expect(await thief.session()).toBeNull();
    expect(app.memory.snapshot().users[0]).toMatchObject({ email: OLD, emailVerified: expect.any(Date) });
    expect(mailOf(app.mails, "address-restored").to).toBe(NEW);
    expect((await app.newBrowser().open(undo)).status).toBe(404);
  });

  it("survives the end of all sessions, and ends after its time", async () => {
    const { app, undo } = await change();
    const { endAll } = (await import("@cardea/sessions")).sessionsOf(app.auth);
    await endAll("ann");
    app.clock.advance({ days: 6.9 });
    const page = await app.newBrowser().browser.navigate(undo ?? "", { initiator: "none" });
    expect(page.status).toBe(200);
    app.clock.advance({ days: 0.2 });
    expect((await app.newBrowser().open(undo)).status).toBe(404);
    expect(addressOf(app)).toBe(NEW);
  });

  it("gets the account back from a thief who changed address, password and factors, twice", async () => {
    const app = startApplication({
      accounts: [{ userId: "ann", type: "oauth", provider: "github", providerAccountId: "1" }],
    });
    const { adapter } = app.memory;
    const row = (type: string, secret: string) => ({ userId: "ann", type, secret, createdAt: new Date(), state: null });
    const password = await adapter.createCredential(row("password", "hash of the owner"));
    const totp = await adapter.createCredential(row("totp", "phone of the owner"));
    const thief = app.newBrowser();
    await thief.signIn();
    await thief.post("email", { email: NEW });
    await thief.open(mailOf(app.mails, "confirm-address").url);
    const { url: undo } = mailOf(app.mails, "address-changed");
    await adapter.updateCredential({ id: password.id, version: 0, secret: "hash of the thief" });
    await adapter.deleteCredential(totp.id);
    await adapter.createCredential(row("totp", "phone of the thief"));
    await adapter.unlinkAccount({ provider: "github", providerAccountId: "1" });
    await adapter.linkAccount({ userId: "ann", type: "oauth", provider: "gitlab", providerAccountId: "thief" });
    await thief.signIn();
    await thief.post("email", { email: "second@new.example" });
    await thief.open(mailOf(app.mails, "confirm-address").url);
    const { url: undoOfThief, to } = mailOf(app.mails, "address-changed");
    expect(to).toBe(NEW);
    await app.newBrowser().open(undo);
    const { users, credentials, accounts } = app.memory.snapshot();
    expect(users[0]?.email).toBe(OLD);
    expect(credentials.map(({ type, secret }) => [type, secret]).sort()).toEqual([
      ["password", "hash of the owner"],
      ["totp", "phone of the owner"],
    ]);
    expect(accounts).toEqual([]);
    // The link of the second change went to the thief.
    expect((await app.newBrowser().open(undoOfThief)).status).toBe(404);
    expect(addressOf(app)).toBe(OLD);
  });

  it("cancels a deletion, which is not carried out before", async () => {
    const { app, thief, undo } = await change({ account: { remove: { after: "0s" } } });
    expect((await thief.post("remove")).status).toBe(200);
    app.clock.advance({ days: 6 });
    expect(await app.operations.removeDue()).toEqual({ removed: [], kept: [] });
    await app.newBrowser().open(undo);
    app.clock.advance({ days: 2 });
    expect(await app.operations.removeDue()).toEqual({ removed: [], kept: [] });
    expect(addressOf(app)).toBe(OLD);
  });

  it("takes the address from an account that never proved it, and leaves it to one that did", async () => {
    const squat = async (emailVerified: Date | null) => {
      const { app, undo } = await change();
      await app.memory.adapter.createUser({ id: "squatter", name: null, email: OLD, emailVerified, image: null });
      const { text } = await app.newBrowser().open(undo);
      return { text, users: app.memory.snapshot().users };
    };
    const unproven = await squat(null);
    expect(unproven.users).toMatchObject([{ email: OLD }, {}, { email: null }]);
    const proven = await squat(new Date());
    expect(proven.text).toContain("Your address is in use");
    expect(proven.users).toMatchObject([{ email: NEW, emailVerified: null }, {}, { email: OLD }]);
  });

  it("ends every session and fails, if the adapter ignores the removal of the proof (@auth/supabase-adapter)", async () => {
    const adapt = (adapter: Adapter): Adapter => ({
      ...adapter,
      updateUser: async ({ emailVerified, ...user }) =>
        Reflect.apply(Object(adapter.updateUser), adapter, [{ ...user, ...(emailVerified && { emailVerified }) }]),
    });
    const { app, thief, undo } = await change({ adapt });
    await app.memory.adapter.createUser({ id: "other", email: OLD, emailVerified: new Date() });
    expect((await app.newBrowser().open(undo)).status).toBe(503);
    expect(app.log.join()).toContain("AdapterError");
    expect(await thief.session()).toBeNull();
  });
});

describe("a stolen session without a factor", () => {
  it("changes nothing once its sign-in is not recent", async () => {
    const app = startApplication({
      accounts: ["github", "gitlab"].map((provider) => ({
        userId: "ann",
        type: "oauth",
        provider,
        providerAccountId: "1",
      })),
    });
    const thief = app.newBrowser();
    await thief.signIn();
    app.clock.advance(LATER);
    const before = app.memory.snapshot();
    const attempts = [
      thief.post("profile", { name: "Thief" }),
      thief.post("email", { email: NEW }),
      thief.post("link", { provider: "github" }),
      thief.post("unlink", { provider: "github", providerAccountId: "1" }),
      thief.post("unlink", { password: "remove" }),
      thief.post("remove"),
      thief.post("cancel"),
    ];
    for (const attempt of attempts)
      expect(await attempt).toMatchObject({ status: 401, body: { error: "proof_required", url: expect.any(String) } });
    expect((await thief.browser.fetch("/auth/account/export")).status).toBe(401);
    const { sessionInfos: _, ...rest } = app.memory.snapshot();
    expect(before).toMatchObject(rest);
    expect(app.mails).toEqual([]);
  });

  it("that is recent changes no address without the mailbox of its user", async () => {
    const app = startApplication();
    const thief = app.newBrowser();
    await thief.signInByMail(app.signInLinks);
    await thief.post("email", { email: NEW });
    await thief.open(mailOf(app.mails, "confirm-address").url);
    expect(addressOf(app)).toBe(OLD);
  });
});
