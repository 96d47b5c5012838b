/** A user whose address was never proven is not handed over to the owner of the address: the owner decides. */

import type { Adapter } from "@cardea/core/adapters";
import type { EmailProvider, Provider } from "@cardea/core/providers";
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { pairs } from "../../../testing/src/long-form.ts";
import { secondProvider, setUpDatabase, signInByApplication } from "../harness/database-app.ts";
import { BASE, COOKIE, cookieHeader, installClock, ORIGIN } from "../harness/harness.ts";
import { ADDRESS, holderOf, npmAdapter, type Planted, plant } from "../harness/planted.ts";

const PAGE = `${ORIGIN}${BASE}/confirm-address`;
const ADDRESS_COOKIE = "__Host-cardea.address";
const STRATEGIES = ["jwt", "database"] as const;
const ADAPTERS = [
  ["with every optional method", ({ adapter }: MemoryAdapter): Adapter => adapter],
  ["as npm has it", npmAdapter],
] as const;

const settings = STRATEGIES.flatMap((strategy, row) => {
  // The pairs of one strategy are those that the other has not.
  const ways = row === 0 ? (["account", "passkey"] as const) : (["passkey", "account"] as const);
  return pairs(ADAPTERS, ways).map(([[name, adapterOf], by]) => ({ strategy, name, adapterOf, by }));
});

async function expectOutside({ memory, planter, id }: Planted) {
  const owner = holderOf(memory);
  expect(owner?.id).not.toBe(id);
  const { accounts, authenticators, sessions } = memory.snapshot();
  expect(accounts.filter(({ userId }) => userId === owner?.id)).toEqual([]);
  expect(authenticators.filter(({ userId }) => userId === owner?.id)).toEqual([]);
  expect(sessions.filter(({ userId }) => userId === owner?.id).length).toBeLessThanOrEqual(1);
  const session = (await planter.session()) as { user?: { email?: string } } | null;
  expect(session?.user?.email ?? null).not.toBe(ADDRESS);
}

describe.each(settings)("a planted user ($by, $strategy sessions, adapter $name)", ({ strategy, adapterOf, by }) => {
  it("H363 is not signed in to by the link: the owner is asked, and nothing has changed", async () => {
    const planted = await plant(by, { strategy, adapterOf });
    const before = planted.memory.snapshot();
    const opened = await planted.prove();
    expect(opened.redirectsTo).toBe(PAGE);
    expect(await planted.owner.session()).toBeNull();
    const { verificationTokens, ...rows } = planted.memory.snapshot();
    const { verificationTokens: _, ...rowsBefore } = before;
    expect(rows).toEqual(rowsBefore);
    expect(verificationTokens.filter(({ identifier }) => identifier.startsWith("confirm-address:"))).toHaveLength(1);
    expect(planted.owner.eventNames()).toEqual([]);
  });

  it("H363 spec 6 events.updateUser keeps all but the address when the owner starts fresh, and leads nowhere", async () => {
    const planted = await plant(by, { strategy, adapterOf });
    const { memory, owner, planter, id } = planted;
    await planted.prove();
    const done = await planted.startFresh();
    expect(done.redirectsTo).toBe(`${ORIGIN}/dash`);
    expect(owner.eventNames()).toEqual(["updateUser", "createUser", "signIn"]);
    expect(await owner.session()).toMatchObject({ user: { email: ADDRESS } });
    expect(memory.snapshot().users).toHaveLength(2);
    expect(memory.snapshot().users.find((user) => user.id === id)).toMatchObject({ email: null, emailVerified: null });
    expect(memory.snapshot().accounts).toHaveLength(1);
    expect(memory.snapshot().accounts[0]?.userId).toBe(id);
    expect(holderOf(memory)?.emailVerified).toBeInstanceOf(Date);
    expect(owner.browser.cookies.get(ADDRESS_COOKIE)).toBeUndefined();
    await expectOutside(planted);
    // The planter still has the account, and it leads to the former user.
    await planter.signOut();
    if (by === "account") await planter.signInWithOp();
    else await planter.authenticate();
    expect(await planter.session()).toMatchObject({ user: { email: null } });
    // The next link signs the owner in at once.
    await owner.signOut();
    expect((await planted.prove()).redirectsTo).toBe(`${ORIGIN}/dash`);
    expect(await owner.session()).toMatchObject({ user: { email: ADDRESS } });
  });

  it("confirms the address of a user who signs in the way they did before", async () => {
    const planted = await plant(by, { strategy, adapterOf });
    const { memory, owner, planter, id } = planted;
    await planter.signOut();
    // The owner signed up themselves, by this account or passkey.
    await planter.post(`${BASE}/signin/email`, { email: ADDRESS, callbackUrl: "/dash" });
    expect((await planter.open()).redirectsTo).toBe(PAGE);
    if (by === "account") await planter.signInWithOp("/dash");
    else await planter.authenticate();
    expect(await planter.session()).toMatchObject({ user: { email: ADDRESS } });
    expect(holderOf(memory)?.id).toBe(id);
    expect(holderOf(memory)?.emailVerified).toBeInstanceOf(Date);
    expect(memory.snapshot().users).toHaveLength(1);
    expect(planter.browser.cookies.get(ADDRESS_COOKIE)).toBeUndefined();
    expect(memory.snapshot().verificationTokens.filter(({ identifier }) => /^confirm/.test(identifier))).toEqual([]);
    expect(await owner.session()).toBeNull();
  });
});

describe("the page", () => {
  it("offers the providers of the user first, works without a script and names the address", async () => {
    const planted = await plant("account", { strategy: "jwt" });
    const opened = await planted.prove();
    const page = await planted.owner.browser.navigate(opened.redirectsTo ?? "");
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toContain("no-store");
    expect(text).toContain(ADDRESS);
    expect(text).not.toContain("<script");
    expect(text).toMatch(/action="[^"]*\/signin\/op"/);
    expect(text.indexOf("/signin/op")).toBeLessThan(text.indexOf("Start fresh"));
    expect(text).toMatch(/<html lang="en"/);
    expect(text.match(/<h1>/g)).toHaveLength(1);
  });

  it("leads to the sign-in page where the ways in cannot be listed", async () => {
    const planted = await plant("account", { strategy: "jwt", adapterOf: npmAdapter });
    await planted.prove();
    const text = await (await planted.owner.browser.navigate(`${BASE}/confirm-address`)).text();
    expect(text).toContain(`href="${ORIGIN}${BASE}/signin?callbackUrl=`);
  });

  it("has replaceable texts", async () => {
    const texts = { confirmAddress: { title: "Ist das Ihr Konto?", again: { title: "Neu anfangen?" } } };
    const planted = await plant("account", { config: { texts } });
    await planted.prove();
    const page = await planted.owner.browser.navigate(`${BASE}/confirm-address`);
    expect(await page.clone().text()).toContain("<h1>Ist das Ihr Konto?</h1>");
    const again = await planted.owner.browser.submit(page, { button: "Start fresh" });
    expect(await again.text()).toContain("<h1>Neu anfangen?</h1>");
  });

  it("says where to continue in a browser that holds no proof, and does nothing there", async () => {
    const planted = await plant("account");
    await planted.prove();
    const elsewhere = setUpDatabase({ memory: planted.memory });
    const page = await elsewhere.browser.navigate(`${BASE}/confirm-address`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Continue where you opened the link");
    const before = planted.memory.snapshot();
    const answer = await elsewhere.post(`${BASE}/confirm-address`, { step: "start-fresh-confirmed" });
    expect(answer.redirectsTo).toContain("error=Verification");
    expect(planted.memory.snapshot()).toEqual(before);
  });

  it("works on the device where the link is opened, which need not be the one that asked", async () => {
    const planted = await plant("account");
    await planted.owner.post(`${BASE}/signin/email`, { email: ADDRESS, callbackUrl: "/dash" });
    const phone = setUpDatabase({ memory: planted.memory });
    const confirm = await phone.browser.navigate(planted.owner.mails.at(-1) ?? "");
    const used = await phone.browser.submit(confirm);
    expect(used.redirectsTo).toBe(PAGE);
    const page = await phone.browser.navigate(used.redirectsTo ?? "");
    const again = await phone.browser.submit(page, { button: "Start fresh" });
    await phone.browser.submit(again, { button: "Create a new account" });
    expect(await phone.session()).toMatchObject({ user: { email: ADDRESS } });
  });

  it("asks once more: one form alone changes nothing, and a stale form is shown again", async () => {
    const planted = await plant("account");
    await planted.prove();
    const before = planted.memory.snapshot();
    const again = await planted.owner.post(`${BASE}/confirm-address`, { step: "start-fresh" });
    expect(again.status).toBe(200);
    expect(planted.memory.snapshot()).toEqual(before);
    const stale = await planted.owner.browser.navigate(`${BASE}/confirm-address`, {
      form: { step: "start-fresh-confirmed", csrfToken: "0".repeat(64) },
    });
    expect(stale.status).toBe(403);
    expect(planted.memory.snapshot()).toEqual(before);
  });
});

describe("the proof", () => {
  it("is used once on the server, however often its cookie is sent", async () => {
    const planted = await plant("account");
    await planted.prove();
    const copy = cookieHeader(planted.owner.browser);
    const csrfToken = await planted.owner.csrfToken();
    const body = new URLSearchParams({ step: "start-fresh-confirmed", csrfToken });
    const headers = { cookie: copy, "content-type": "application/x-www-form-urlencoded", origin: ORIGIN };
    const send = () => planted.owner.send(`${BASE}/confirm-address`, { method: "POST", headers, body: `${body}` });
    const answers = await Promise.all(Array.from({ length: 8 }, send));
    const targets = answers.map((answer) => answer.headers.get("location") ?? "");
    expect(targets.filter((url) => url === `${ORIGIN}/dash`)).toHaveLength(1);
    expect(targets.filter((url) => url.includes("error=Verification"))).toHaveLength(7);
    expect(planted.memory.snapshot().users).toHaveLength(2);
  });

  it("that is sent by a double click signs in once, and both clicks lead on; so does Back", async () => {
    const signIn = () => new Promise<boolean>((resolve) => setTimeout(resolve, 20, true));
    const planted = await plant("account", { config: { callbacks: { signIn } } });
    await planted.prove();
    const page = await planted.owner.browser.navigate(PAGE);
    const again = await planted.owner.browser.submit(page, { button: "Start fresh" });
    const click = () => planted.owner.browser.tab().submit(again.clone(), { button: "Create a new account" });
    const clicks = [...(await Promise.all([click(), click()])), await click()];
    expect(clicks.map(({ redirectsTo }) => redirectsTo)).toEqual(clicks.map(() => `${ORIGIN}/dash`));
    const { users, sessions } = planted.memory.snapshot();
    const mine = holderOf(planted.memory)?.id;
    expect([users.length, sessions.filter(({ userId }) => userId === mine).length]).toEqual([2, 1]);
    await planted.owner.signOut();
    expect((await click()).redirectsTo).not.toBe(`${ORIGIN}/dash`);
    expect(await planted.owner.session()).toBeNull();
  });

  it("signs in to the new user that it created, if that user's session could not be issued", async () => {
    const planted = await plant("account", { mayFail: true });
    await planted.prove();
    planted.memory.fail({ method: "createSession", throws: new Error("down") });
    expect((await planted.startFresh()).redirectsTo).toContain("error=");
    planted.memory.heal();
    const created = holderOf(planted.memory)?.id;
    expect([created === planted.id, await planted.owner.session()]).toEqual([false, null]);
    const copy = cookieHeader(planted.owner.browser);
    expect((await planted.startFresh()).redirectsTo).toBe(`${ORIGIN}/dash`);
    expect(await planted.owner.session()).toMatchObject({ user: { email: ADDRESS } });
    expect([holderOf(planted.memory)?.id, planted.memory.snapshot().users.length]).toEqual([created, 2]);
    expect(planted.memory.snapshot().verificationTokens).toEqual([]);
    const replay = await planted.owner.send(PAGE, { headers: { cookie: copy } });
    expect(replay.status).toBe(200);
  });

  it("signs in to no other user who proved the address meanwhile", async () => {
    const clock = installClock();
    const planted = await plant("account");
    await planted.prove();
    const phone = setUpDatabase({ memory: planted.memory, email: { rateLimit: () => true } });
    clock.advance({ seconds: 2 });
    await phone.ask(ADDRESS);
    await phone.open();
    const fresh = await phone.browser.submit(await phone.browser.navigate(PAGE), { button: "Start fresh" });
    await phone.browser.submit(fresh, { button: "Create a new account" });
    const mine = await planted.owner.post(`${BASE}/confirm-address`, { step: "start-fresh-confirmed" });
    expect([mine.redirectsTo, await planted.owner.session()]).toEqual([
      expect.stringContaining("error=Verification"),
      null,
    ]);
  });

  it("lives for 15 minutes", async () => {
    const clock = installClock();
    const planted = await plant("account", { strategy: "jwt" });
    await planted.prove();
    const cookie = cookieHeader(planted.owner.browser);
    clock.advance({ seconds: 901 + 15 });
    const page = await planted.owner.send(`${BASE}/confirm-address`, { headers: { cookie } });
    expect(await page.text()).toContain("Continue where you opened the link");
  });

  it("ends at sign-out, a copy of its cookie as well", async () => {
    const planted = await plant("account");
    await planted.prove();
    const copy = planted.owner.browser.cookies.get(ADDRESS_COOKIE);
    expect(copy).toBeDefined();
    await planted.owner.signOut();
    expect(planted.owner.browser.cookies.get(ADDRESS_COOKIE)).toBeUndefined();
    expect(planted.memory.snapshot().verificationTokens).toEqual([]);
  });

  it("changes nothing at the sign-in of another user, and stays", async () => {
    const planted = await plant("account");
    await planted.prove();
    planted.owner.op.user = { sub: "other", email: "other@example.com", email_verified: true };
    await planted.owner.signInWithOp();
    expect(await planted.owner.session()).toMatchObject({ user: { email: "other@example.com" } });
    expect(holderOf(planted.memory)?.emailVerified).toBeNull();
    expect(planted.owner.browser.cookies.get(ADDRESS_COOKIE)).toBeDefined();
  });

  it("is not joined by an account that is only now linked to the user", async () => {
    const planted = await plant("account");
    const { planter } = planted;
    await planter.post(`${BASE}/signin/email`, { email: ADDRESS });
    await planter.open();
    planter.op.user = { sub: "second", email: "second@example.com", email_verified: true };
    await signInByApplication(planter, "op");
    expect(planted.memory.snapshot().accounts).toHaveLength(2);
    expect(holderOf(planted.memory)?.emailVerified).toBeNull();
  });

  it("no longer counts once the user is proven or has another address", async () => {
    for (const change of [{ emailVerified: new Date() }, { email: "new@example.com" }]) {
      const planted = await plant("account");
      await planted.prove();
      await planted.memory.adapter.updateUser({ id: planted.id, ...change });
      const answer = await planted.owner.post(`${BASE}/confirm-address`, { step: "start-fresh-confirmed" });
      expect(answer.redirectsTo).toContain("error=Verification");
      expect(planted.memory.snapshot().users).toHaveLength(1);
    }
  });
});

describe("taking the address off", () => {
  const refusing = (refuses: (email: unknown) => boolean) => ({
    adapterOf: ({ adapter }: MemoryAdapter): Adapter => ({
      ...adapter,
      updateUser: async (user) => {
        if ("email" in user && refuses(user.email)) throw new Error("NOT NULL constraint failed");
        return adapter.updateUser(user);
      },
    }),
  });

  it("uses an address that no one can have where null is refused; it is never mailed and never matched", async () => {
    const planted = await plant(
      "account",
      refusing((email) => email === null),
    );
    await planted.prove();
    expect((await planted.startFresh()).redirectsTo).toBe(`${ORIGIN}/dash`);
    const removed = `${planted.id}@removed.invalid`;
    expect(
      planted.memory
        .snapshot()
        .users.map(({ email }) => email)
        .sort(),
    ).toEqual([removed, ADDRESS].sort());
    const asked = await planted.owner.post(`${BASE}/signin/email`, { email: removed });
    expect(asked.redirectsTo).toContain("error=EmailSignin");
    expect(planted.owner.mails).toHaveLength(1);
  });

  it("uses it as well where null is silently left out", async () => {
    const adapterOf = ({ adapter }: MemoryAdapter): Adapter => ({
      ...adapter,
      updateUser: ({ email, ...user }) =>
        adapter.updateUser(email === null ? user : { ...user, ...(email && { email }) }),
    });
    const planted = await plant("account", { adapterOf });
    await planted.prove();
    await planted.startFresh();
    expect(holderOf(planted.memory)?.id).not.toBe(planted.id);
  });

  it("changes nothing where both are refused, keeps the proof and says in the log what to do", async () => {
    const planted = await plant("account", { ...refusing((email) => email !== ADDRESS), mayFail: true });
    await planted.prove();
    const before = planted.memory.snapshot();
    expect((await planted.startFresh()).redirectsTo).toContain("error=Configuration");
    expect(planted.memory.snapshot()).toEqual(before);
    expect(planted.owner.browser.cookies.get(ADDRESS_COOKIE)).toBeDefined();
    expect(planted.owner.logs.filter(({ level }) => level === "error").map(({ text }) => text)).toEqual([
      expect.stringContaining("could not be removed"),
    ]);
    const page = await planted.owner.browser.navigate(`${BASE}/confirm-address`);
    expect(await page.text()).toContain(ADDRESS);
  });

  it("gives it back when the new user cannot be created", async () => {
    const planted = await plant("account", { mayFail: true });
    await planted.prove();
    planted.memory.fail({ method: "createUser", throws: new Error("down") });
    expect((await planted.startFresh()).redirectsTo).toContain("error=");
    expect(holderOf(planted.memory)?.id).toBe(planted.id);
    planted.memory.heal();
    expect((await planted.startFresh()).redirectsTo).toBe(`${ORIGIN}/dash`);
  });
});

describe("an invited user", () => {
  const invited = { id: "invited", name: "Ann", email: ADDRESS, emailVerified: null, image: null };
  const seeded = () => createMemoryAdapter({ seed: { users: [invited] } });

  async function openLink(options: Parameters<typeof setUpDatabase>[0] = {}) {
    const app = setUpDatabase(options);
    await app.ask(ADDRESS);
    const opened = await app.open();
    return { app, asked: opened.redirectsTo === PAGE };
  }

  /** An application that only sends e-mails, and the providers of a case. */
  async function openInvitation(memory: MemoryAdapter, email: object = {}, others: readonly Provider[] = []) {
    const mails: string[] = [];
    const sendVerificationRequest = ({ url }: { url: string }) => void mails.push(url);
    const provider: EmailProvider = { id: "email", name: "E-mail", type: "email", sendVerificationRequest, ...email };
    const app = setUpDatabase({ memory, config: { providers: [provider, ...others] } });
    await app.ask(ADDRESS);
    const opened = await app.browser.navigate(mails.at(-1) ?? "");
    return { app, asked: opened.redirectsTo === PAGE };
  }

  const warnings = ({ logs }: Awaited<ReturnType<typeof openLink>>["app"]) =>
    logs.filter(({ text }) => text.startsWith("unproven-address")).map(({ text }) => text);

  it("is the owner's at once where every sign-in method proves the address, and none other is listed", async () => {
    const { app, asked } = await openInvitation(seeded());
    expect(asked).toBe(false);
    expect(await app.session()).toMatchObject({ user: { email: ADDRESS } });
    expect(app.memory.snapshot().users[0]).toMatchObject({ id: "invited", emailVerified: expect.any(Date) });
    expect(app.eventNames().slice(0, 2)).toEqual(["updateUser", "signIn"]);
  });

  const linked = async () => {
    const memory = seeded();
    await memory.adapter.linkAccount({ userId: "invited", provider: "x", providerAccountId: "1", type: "oauth" });
    return memory;
  };
  const withCredential = async (type: string) => {
    const memory = seeded();
    await memory.adapter.createCredential({ userId: "invited", type, secret: "x", createdAt: new Date(), state: {} });
    return memory;
  };
  const withPassword = () => createMemoryAdapter({ seed: { users: [Object.assign({ passwordHash: "x" }, invited)] } });

  it.each([
    ["there is a provider for credentials", async () => openLink({ memory: seeded() })],
    ["there is another provider", async () => openInvitation(seeded(), {}, [secondProvider().provider])],
    ["an account is listed", async () => openInvitation(await linked())],
    ["a password is stored with the user", async () => openInvitation(withPassword())],
    ["a password is stored as a credential", async () => openInvitation(await withCredential("password"))],
  ])("is asked about when %s", async (_reason, open) => {
    const { app, asked } = await open();
    expect(asked).toBe(true);
    expect(await app.session()).toBeNull();
    expect(app.memory.snapshot().users[0]?.emailVerified).toBeNull();
  });

  it("is the owner's at once with a second factor, which is no sign-in method", async () => {
    const { app, asked } = await openInvitation(await withCredential("totp"));
    expect(asked).toBe(false);
    expect(await app.session()).toMatchObject({ user: { email: ADDRESS } });
  });

  it("is named in the log, once, if the owner is asked and nothing but the address leads to it", async () => {
    const others = [secondProvider().provider];
    const { app } = await openInvitation(seeded(), {}, others);
    await app.ask(ADDRESS);
    await app.browser.navigate(app.mails.at(-1) ?? "");
    expect(warnings(app)).toEqual([expect.stringContaining("ownsAddress")]);
    expect(warnings((await openInvitation(await linked(), {}, others)).app)).toEqual([]);
  });

  it.each([true, false, "yes", undefined])("is the owner's when ownsAddress returns true: %s", async (answer) => {
    const seen: unknown[] = [];
    const ownsAddress = (user: unknown) => {
      seen.push(user);
      return answer;
    };
    const { asked } = await openInvitation(seeded(), { ownsAddress }, [secondProvider().provider]);
    expect(seen).toMatchObject([invited]);
    expect(asked).toBe(answer !== true);
  });

  it("signs in to any user where allowDangerousEmailAccountLinking is set, and warns at start", async () => {
    const planted = await plant("account", { email: { allowDangerousEmailAccountLinking: true } });
    expect((await planted.prove()).redirectsTo).toBe(`${ORIGIN}/dash`);
    expect(holderOf(planted.memory)).toMatchObject({ id: planted.id, emailVerified: expect.any(Date) });
    expect(planted.owner.logs.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^dangerous-email-linking/),
    );
  });
});

describe("a password of a planted user", () => {
  it("leads to the owner only as the owner's own choice: authorize() has to return that very user", async () => {
    const memory = createMemoryAdapter({
      seed: { users: [{ id: "7", name: "Ann", email: ADDRESS, emailVerified: null, image: null }] },
    });
    const app = setUpDatabase({ memory });
    await app.ask(ADDRESS);
    expect((await app.open()).redirectsTo).toBe(PAGE);
    await app.signIn();
    expect(memory.snapshot().users[0]).toMatchObject({ id: "7", emailVerified: expect.any(Date) });
    expect(app.browser.cookies.get(COOKIE.session)).toBeDefined();
  });
});
