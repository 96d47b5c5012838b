/** A provider vouches for an address whose user never proved it: the account waits, and the owner of the address decides. */
import { type Adapter, memoryStore } from "@cardea/core/adapters";
import { type ActionSpec, defineExtension } from "@cardea/extend";
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { secondProvider, setUpDatabase } from "../harness/database-app.ts";
import { PASSWORD } from "../harness/fixture.ts";
import { BASE, cookieHeader, installClock, ORIGIN } from "../harness/harness.ts";
import { npmAdapter } from "../harness/planted.ts";

const ADDRESS = "ann@example.com";
const PAGE = `${ORIGIN}${BASE}/confirm-address`;
const ADDRESS_COOKIE = "__Host-cardea.address";
const STRATEGIES = ["jwt", "database"] as const;
const DOMAINS = ["example.com"];

interface Start extends NonNullable<Parameters<typeof setUpDatabase>[0]> {
  /** Options of the provider that vouches for the address. */
  readonly provider?: object;
  readonly adapterOf?: (memory: MemoryAdapter) => Adapter;
}

/** One browser of an application with `op`, by which the user signed up, and `op2`, which vouches for the address. */
function browserOf({ provider, adapterOf = ({ adapter }) => adapter, ...options }: Start = {}) {
  const second = secondProvider(provider);
  const memory = options.memory ?? createMemoryAdapter();
  const app = setUpDatabase({
    ...options,
    memory,
    email: { rateLimit: () => true, ...options.email },
    config: { adapter: adapterOf(memory), ...options.config },
    providers: [second.provider],
    routes: second.routes,
    alsoTo: [second.op.issuer],
  });
  app.op.user = { sub: "1", name: "Ann", email: ADDRESS, email_verified: false };
  second.op.user = { sub: "2", name: "Ann", email: ADDRESS, email_verified: true };
  return { app, second, memory };
}

type Site = ReturnType<typeof browserOf>;

const signInWithSecond = async ({ app }: Site) => {
  const page = await app.browser.navigate(`${BASE}/signin?callbackUrl=/dash`);
  return app.browser.submit(page, { action: `${BASE}/signin/op2`, follow: "all" });
};
const owners = ({ memory }: Site) =>
  Object.fromEntries(memory.snapshot().accounts.map(({ provider, userId }) => [provider, userId]));
const userOf = ({ memory }: Site, email: string | null = ADDRESS) =>
  memory.snapshot().users.find((user) => user.email === email);
const openPage = ({ app }: Site) => app.browser.navigate(PAGE);
const continueWithOp = async (site: Site) =>
  site.app.browser.submit(await openPage(site), { action: `${BASE}/signin/op`, follow: "all" });

/** A user who signed up by `op`, and whose account at `op2` waits. */
async function wait(options: Start = {}) {
  const site = browserOf(options);
  await site.app.signInWithOp();
  await site.app.signOut();
  const before = site.memory.snapshot();
  const asked = await signInWithSecond(site);
  const planted = userOf(site)?.id ?? "";
  return { ...site, asked, before, planted };
}

describe.each(STRATEGIES)("an account whose provider vouches for an unproven address (%s sessions)", (strategy) => {
  it("waits: no one is signed in, and the page names it", async () => {
    const site = await wait({ strategy });
    expect(site.asked.url).toBe(PAGE);
    expect(await site.app.session()).toBeNull();
    const { verificationTokens, ...rows } = site.memory.snapshot();
    const { verificationTokens: _, ...rowsBefore } = site.before;
    expect(rows).toEqual(rowsBefore);
    expect(verificationTokens).toHaveLength(1);
    const text = await site.asked.text();
    expect(text).toContain(`Your Second account for <bdi>${ADDRESS}</bdi>`);
    expect(text).toMatch(/action="[^"]*\/signin\/op"/);
    expect(text).toContain("Send me a link");
    expect(text).not.toContain("Start fresh");
  });

  it("is linked by a sign-in that the page started, with its tokens and an event", async () => {
    const site = await wait({ strategy });
    expect((await continueWithOp(site)).url).toBe(`${ORIGIN}/dash`);
    expect(owners(site)).toEqual({ op: site.planted, op2: site.planted });
    expect(site.memory.snapshot().accounts.find(({ provider }) => provider === "op2")).toMatchObject({
      providerAccountId: "2",
      type: "oidc",
      access_token: expect.any(String),
    });
    expect(site.app.eventNames().slice(-2)).toEqual(["linkAccount", "signIn"]);
    expect(site.app.browser.cookies.get(ADDRESS_COOKIE)).toBeUndefined();
    expect(site.memory.snapshot().verificationTokens).toEqual([]);
    // The address is proven by the next sign-in through the account, which now belongs to the user.
    expect(userOf(site)?.emailVerified).toBeNull();
    await site.app.signOut();
    expect((await signInWithSecond(site)).url).toBe(`${ORIGIN}/dash`);
    expect(userOf(site)?.emailVerified).toBeInstanceOf(Date);
  });

  it("is linked by the password of that very user", async () => {
    const memory = createMemoryAdapter({
      seed: { users: [{ id: "7", name: "Ann", email: ADDRESS, emailVerified: null, image: null }] },
    });
    const site = browserOf({ strategy, memory });
    const page = await signInWithSecond(site);
    const link = /href="([^"]*\/signin\?[^"]*)"/.exec(await page.text())?.[1]?.replaceAll("&#38;", "&") ?? "";
    const typed = { action: `${BASE}/signin`, fields: { identifier: "ann" }, follow: "all" } as const;
    const form = await site.app.browser.submit(await site.app.browser.navigate(link), typed);
    const wrong = await site.app.browser.submit(form, {
      action: `${BASE}/callback/credentials`,
      fields: { password: "wrong" },
      follow: "all",
    });
    expect(wrong.url).toContain("error=CredentialsSignin");
    const fields = { password: PASSWORD };
    await site.app.browser.submit(wrong, { action: `${BASE}/callback/credentials`, fields, follow: "all" });
    expect(owners(site)).toEqual({ op2: "7" });
  });
});

describe("any other sign-in", () => {
  it.each([
    ["that was not started from the page", async (site: Site) => site.app.signInWithOp("/dash")],
    [
      "of another user, started from the page",
      async (site: Site) => {
        site.app.op.user = { sub: "3", email: "bob@example.com", email_verified: true };
        return continueWithOp(site);
      },
    ],
    ["by an account of another browser's page", async (site: Site) => submitMark(site, "0".repeat(32))],
    ["with no mark at all", async (site: Site) => submitMark(site, "")],
  ])("%s links nothing and ends the wait", async (_, signIn) => {
    const site = await wait();
    const copy = cookieHeader(site.app.browser);
    await signIn(site);
    expect(await site.app.session()).not.toBeNull();
    expect(Object.keys(owners(site))).not.toContain("op2");
    expect(userOf(site)?.emailVerified).toBeNull();
    expect(site.app.browser.cookies.get(ADDRESS_COOKIE)).toBeUndefined();
    expect(site.memory.snapshot().verificationTokens).toEqual([]);
    expect(copy).toContain(ADDRESS_COOKIE);
  });

  async function submitMark({ app }: Site, confirmAddress: string) {
    const begun = await app.post(`${BASE}/signin/op`, { confirmAddress, callbackUrl: "/dash" });
    return app.browser.navigate((await app.op.authorize(begun.redirectsTo ?? "")).url);
  }

  it("in a session, with an invented mark or that of a wait which another browser has, adds its account to the session", async () => {
    const site = browserOf();
    await site.app.signInWithOp();
    for (const confirmAddress of ["0".repeat(32), await markOf(await wait())]) {
      const begun = await site.app.post(`${BASE}/signin/op2`, { confirmAddress, callbackUrl: "/dash" });
      await site.app.browser.navigate((await site.second.op.authorize(begun.redirectsTo ?? "")).url);
      expect(owners(site)).toEqual({ op: userOf(site)?.id, op2: userOf(site)?.id });
      await site.memory.adapter.unlinkAccount({ provider: "op2", providerAccountId: "2" });
    }
  });

  const markOf = async (site: Site) =>
    /name="confirmAddress" value="([^"]+)"/.exec(await (await openPage(site)).text())?.[1] ?? "";

  it("that was under way when the page was shown links nothing", async () => {
    const site = browserOf();
    await site.app.signInWithOp();
    await site.app.signOut();
    const begun = await site.app.post(`${BASE}/signin/op`, { callbackUrl: "/dash" });
    await signInWithSecond(site);
    await site.app.browser.navigate((await site.app.op.authorize(begun.redirectsTo ?? "")).url);
    expect(owners(site)).toEqual({ op: userOf(site)?.id });
  });

  it("does not end a sign-in that the page started, which links nothing any more", async () => {
    const site = await wait();
    const page = await openPage(site);
    const begun = await site.app.browser.submit(page, { action: `${BASE}/signin/op` });
    await site.app.signInWithOp();
    await site.app.browser.navigate((await site.app.op.authorize(begun.redirectsTo ?? "")).url);
    expect(Object.keys(owners(site))).toEqual(["op"]);
  });
});

describe("an attacker", () => {
  const refused = (claims: object, provider: object = {}) =>
    (async () => {
      const site = browserOf({ provider: { allowDangerousEmailAccountLinking: true, ...provider } });
      await site.app.signInWithOp();
      await site.app.signOut();
      site.second.op.user = { sub: "2", email: ADDRESS, ...claims };
      return { site, answer: await signInWithSecond(site) };
    })();

  it.each([
    ["says that the address is not verified", { email_verified: false }, {}],
    ["says nothing about it", {}, {}],
    ["says so in text", { email_verified: "false" }, {}],
    ["vouches for another address", { email: "else@example.com", email_verified: true }, { profile: takeAddress }],
    ["says nothing, although it is the authority", {}, { ownsAddresses: DOMAINS }],
  ])("gets no page from a provider that %s", async (_, claims, provider) => {
    const { site, answer } = await refused(claims, provider);
    expect(answer.url).toContain("error=OAuthAccountNotLinked");
    expect(site.app.browser.cookies.get(ADDRESS_COOKIE)).toBeUndefined();
    expect(site.memory.snapshot().verificationTokens).toEqual([]);
  });

  function takeAddress({ sub }: { readonly sub?: unknown }) {
    return { id: String(sub), email: ADDRESS, emailVerified: true };
  }

  it("gets no page for the address of a user who proved it", async () => {
    const site = browserOf();
    site.app.op.user = { sub: "1", email: ADDRESS, email_verified: true };
    await site.app.signInWithOp();
    await site.app.signOut();
    expect((await signInWithSecond(site)).url).toContain("error=OAuthAccountNotLinked");
  });

  it("cannot start fresh by sending the form", async () => {
    const site = await wait();
    for (const step of ["start-fresh", "start-fresh-confirmed"]) {
      const answer = await site.app.post(`${BASE}/confirm-address`, { step, email: ADDRESS });
      expect(answer.status).toBe(200);
      expect(await answer.text()).not.toContain("start-fresh");
    }
    expect(userOf(site)?.id).toBe(site.planted);
  });

  it("who planted the user gets nothing of the owner: their browser has no page", async () => {
    const site = await wait();
    const planter = browserOf({ memory: site.memory });
    const page = await openPage(planter);
    expect(await page.text()).not.toContain(ADDRESS);
    await planter.app.signInWithOp();
    expect(owners(site)).toEqual({ op: site.planted });
    // The page of the owner still stands.
    expect(await (await openPage(site)).text()).toContain("Second");
  });

  it("who replays the cookie of a wait that has ended links nothing", async () => {
    const site = await wait();
    const page = await openPage(site);
    const begun = await site.app.browser.submit(page, { action: `${BASE}/signin/op` });
    const cookie = site.app.browser.cookies.get(ADDRESS_COOKIE);
    const sent = cookieHeader(site.app.browser);
    await site.app.signOut();
    expect(site.memory.snapshot().verificationTokens).toEqual([]);
    expect(cookie).toBeDefined();
    const { url } = await site.app.op.authorize(begun.redirectsTo ?? "");
    const answer = await site.app.send(String(url), { headers: { cookie: sent } });
    expect(answer.headers.get("location")).toBe(`${ORIGIN}/dash`);
    expect(owners(site)).toEqual({ op: site.planted });
  });

  it("who sends the callback of the page several times links once", async () => {
    const site = await wait();
    await continueWithOp(site);
    expect(site.memory.snapshot().accounts).toHaveLength(2);
  });
});

describe("what changed meanwhile", () => {
  it.each([
    [
      "the address was proven",
      ({ memory, planted }: Waiting) => update(memory, planted, { emailVerified: new Date() }),
    ],
    ["the address changed", ({ memory, planted }: Waiting) => update(memory, planted, { email: "new@example.com" })],
    [
      "the account was linked to another user",
      async ({ memory }: Waiting) => {
        const { id } = await memory.adapter.createUser({ id: "b", name: "B", email: "b@x.io", emailVerified: null });
        await memory.adapter.linkAccount({ userId: id, provider: "op2", providerAccountId: "2", type: "oidc" });
      },
    ],
  ])("%s: the sign-in from the page succeeds and links nothing", async (_, change) => {
    const site = await wait();
    const page = await openPage(site);
    await change(site);
    const answer = await site.app.browser.submit(page, { action: `${BASE}/signin/op`, follow: "all" });
    expect(answer.url).toBe(`${ORIGIN}/dash`);
    expect(owners(site).op).toBe(site.planted);
    expect(owners(site).op2).not.toBe(site.planted);
    expect(site.app.browser.cookies.get(ADDRESS_COOKIE)).toBeUndefined();
  });

  type Waiting = Awaited<ReturnType<typeof wait>>;
  const update = ({ adapter }: MemoryAdapter, id: string, change: object) => adapter.updateUser({ id, ...change });

  it("15 minutes passed: the page is gone", async () => {
    const clock = installClock();
    const site = await wait({ strategy: "jwt" });
    const cookie = cookieHeader(site.app.browser);
    clock.advance({ seconds: 901 + 15 });
    const page = await site.app.send(`${BASE}/confirm-address`, { headers: { cookie } });
    expect(await page.text()).not.toContain(ADDRESS);
  });
});

describe("a link by e-mail", () => {
  async function openLink(site: Site) {
    await site.app.browser.submit(await openPage(site), { button: "Send me a link" });
    return site.app.browser.navigate(site.app.mails.at(-1) ?? "");
  }

  it("leads to a page that may start fresh, and links the account to the new user", async () => {
    const site = await wait();
    const opened = await openLink(site);
    expect(opened.redirectsTo).toBe(PAGE);
    const page = await openPage(site);
    expect(await page.clone().text()).toContain("Your Second account");
    const again = await site.app.browser.submit(page, { button: "Start fresh" });
    const done = await site.app.browser.submit(again, { button: "Create a new account" });
    expect(done.redirectsTo).toBe(`${ORIGIN}/dash`);
    expect(userOf(site)?.id).not.toBe(site.planted);
    expect(owners(site)).toEqual({ op: site.planted, op2: userOf(site)?.id });
    expect(userOf(site, null)?.id).toBe(site.planted);
    expect(site.app.eventNames().slice(-4)).toEqual(["updateUser", "createUser", "linkAccount", "signIn"]);
    expect(site.memory.snapshot().verificationTokens).toEqual([]);
  });

  it("and the former way prove address and account", async () => {
    const site = await wait();
    await openLink(site);
    await continueWithOp(site);
    expect(owners(site)).toEqual({ op: site.planted, op2: site.planted });
    expect(userOf(site)?.emailVerified).toBeInstanceOf(Date);
  });

  it("that was requested elsewhere knows no account", async () => {
    const site = await wait();
    await site.app.ask(ADDRESS);
    await site.app.open();
    const page = await openPage(site);
    expect(await page.clone().text()).not.toContain("Your Second account");
    const again = await site.app.browser.submit(page, { button: "Start fresh" });
    await site.app.browser.submit(again, { button: "Create a new account" });
    expect(owners(site)).toEqual({ op: site.planted });
  });

  it("that is opened in another browser knows no account", async () => {
    const site = await wait();
    await site.app.browser.submit(await openPage(site), { button: "Send me a link" });
    const phone = browserOf({ memory: site.memory });
    const confirm = await phone.app.browser.navigate(site.app.mails.at(-1) ?? "");
    expect((await phone.app.browser.submit(confirm)).redirectsTo).toBe(PAGE);
    expect(await (await openPage(phone)).text()).not.toContain("Your Second account");
  });

  it("is not offered without an e-mail provider: the page says whom to ask", async () => {
    const second = secondProvider();
    const memory = createMemoryAdapter({
      seed: { users: [{ id: "7", name: "Ann", email: ADDRESS, emailVerified: null, image: null }] },
    });
    const app = setUpDatabase({
      memory,
      config: { providers: [second.provider] },
      routes: second.routes,
      alsoTo: [second.op.issuer],
    });
    second.op.user = { sub: "2", email: ADDRESS, email_verified: true };
    const page = await app.browser.navigate(`${BASE}/signin`);
    const text = await (await app.browser.submit(page, { action: `${BASE}/signin/op2`, follow: "all" })).text();
    expect(text).not.toContain("Send me a link");
    expect(text).toContain("contact");
  });
});

describe("the page", () => {
  it("replaces an earlier one, whose proof is of no use any more", async () => {
    const site = await wait();
    const cookie = cookieHeader(site.app.browser);
    await signInWithSecond(site);
    expect(site.memory.snapshot().verificationTokens).toHaveLength(1);
    const copy = await site.app.send(`${BASE}/confirm-address`, { headers: { cookie } });
    const mark = /name="confirmAddress" value="([^"]+)"/.exec(await copy.text())?.[1] ?? "";
    const begun = await site.app.post(`${BASE}/signin/op`, { confirmAddress: mark, callbackUrl: "/dash" });
    await site.app.browser.navigate((await site.app.op.authorize(begun.redirectsTo ?? "")).url);
    expect(Object.keys(owners(site))).toEqual(["op"]);
  });

  it("stays as it was if the one that replaces it cannot be stored", async () => {
    const site = await wait({ mayFail: true });
    site.memory.fail({ method: "createVerificationToken", throws: new Error("down"), times: 1 });
    await signInWithSecond(site);
    site.memory.heal();
    expect(site.memory.snapshot().verificationTokens).toHaveLength(1);
    await continueWithOp(site);
    expect(owners(site)).toEqual({ op: site.planted, op2: site.planted });
  });

  it("of one proof decides nothing about another of the same address", async () => {
    const site = await wait({ provider: { ownsAddresses: DOMAINS } });
    const again = await site.app.browser.submit(await openPage(site), { button: "Start fresh" });
    await signInWithSecond(site);
    const shown = await site.app.browser.submit(again, { button: "Create a new account" });
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining("Start fresh")]);
    expect(userOf(site)?.id).toBe(site.planted);
  });
});

describe("extensions", () => {
  const gateOf = (may: boolean | { readonly ask: string }, seen: unknown[] = []) =>
    defineExtension({
      id: "gate",
      needs: { sessionInfo: true, store: true },
      actions: { "GET prove": { csrf: "none", segment: "none", answers: "page", head: "skip", run: prove } },
      admit: ({ facts }) => (facts.f.some(([method]) => method === "otp") ? { admit: true } : { ask: "prove" }),
      mayChange: async ({ userId, facts }, given, { adds }) => {
        const proofs = [...((await facts())?.f ?? []), ...given].map(([method]) => method);
        seen.push({ userId, adds, proofs: [...new Set(proofs)] });
        return may;
      },
    });
  const prove: ActionSpec["run"] = async (action, t) => {
    const url = await (await action.pendingSignIn())?.complete({ f: [["otp", t.now()]] });
    return url === undefined ? { kind: "empty", status: 204 } : { kind: "redirect", url };
  };

  it.each([
    [true, ["op", "op2"]],
    [false, ["op"]],
    [{ ask: "prove" }, ["op"]],
  ])("are asked whether the session that begins may add the account: %o", async (may, linked) => {
    const seen: unknown[] = [];
    const config = { store: memoryStore({ instances: 1 }), extensions: [gateOf(may, seen)] };
    const memory = createMemoryAdapter({
      seed: {
        users: [{ id: "7", name: "Ann", email: ADDRESS, emailVerified: null, image: null }],
        accounts: [{ provider: "op", providerAccountId: "1", type: "oidc", userId: "7" }],
      },
    });
    const site = browserOf({ memory, config });
    await signInWithSecond(site);
    expect((await continueWithOp(site)).url).toBe(`${ORIGIN}/dash`);
    expect(await site.app.session()).toMatchObject({ user: { email: ADDRESS } });
    expect(seen).toEqual([{ userId: "7", adds: "account", proofs: ["federated", "otp"] }]);
    expect(Object.keys(owners(site)).toSorted()).toEqual(linked);
    expect(site.app.logs.some(({ text }) => text.includes("further proof"))).toBe(may !== true);
    expect(memory.snapshot().verificationTokens).toEqual([]);
  });
});

describe("ownsAddresses", () => {
  const startFresh = async (site: Site) => {
    const again = await site.app.browser.submit(await openPage(site), { button: "Start fresh" });
    return site.app.browser.submit(again, { button: "Create a new account", follow: "all" });
  };

  it.each([
    ["a list of domains", DOMAINS],
    ["a list with capitals", ["EXAMPLE.com"]],
    ["a function", async (address: string, { sub }: { sub?: unknown }) => address === ADDRESS && sub === "2"],
  ])("lets the owner start fresh on the word of the provider: %s", async (_, ownsAddresses) => {
    const site = await wait({ provider: { ownsAddresses } });
    expect((await startFresh(site)).url).toBe(`${ORIGIN}/dash`);
    expect(userOf(site)).toMatchObject({ name: "Ann", emailVerified: expect.any(Date) });
    expect(owners(site)).toEqual({ op: site.planted, op2: userOf(site)?.id });
    expect(userOf(site)?.id).not.toBe(site.planted);
    expect(site.app.eventNames().slice(-4)).toEqual(["updateUser", "createUser", "linkAccount", "signIn"]);
    expect(site.memory.snapshot().verificationTokens).toEqual([]);
    expect(site.app.browser.cookies.get(ADDRESS_COOKIE)).toBeUndefined();
  });

  it.each([
    ["another domain", ["example.org"]],
    ["a domain above it", ["com.example"]],
    ["a subdomain", ["mail.example.com"]],
    ["no domain", []],
    ["a function that returns anything but true", () => "yes"],
  ])("does not for %s", async (_, ownsAddresses) => {
    const site = await wait({ provider: { ownsAddresses } });
    expect(await site.asked.text()).not.toContain("Start fresh");
    await site.app.post(`${BASE}/confirm-address`, { step: "start-fresh-confirmed", email: ADDRESS });
    expect(userOf(site)?.id).toBe(site.planted);
  });

  it("is asked once by a request that decides several times", async () => {
    let asked = 0;
    const ownsAddresses = () => ++asked > 0;
    const extensions = [defineExtension({ id: "gate", admit: () => ({ admit: true }) })];
    const site = await wait({ provider: { ownsAddresses }, config: { extensions } });
    expect(asked).toBe(1);
    await startFresh(site);
    expect(asked).toBe(2);
  });

  it("does not where the function fails, which is logged", async () => {
    const ownsAddresses = () => {
      throw new Error("directory down");
    };
    const site = await wait({ provider: { ownsAddresses }, mayFail: true });
    expect(await site.asked.text()).not.toContain("Start fresh");
    expect(site.app.logs.some(({ text }) => text.includes("ownsAddresses()"))).toBe(true);
  });

  it("asks the provider again: another account there takes nothing", async () => {
    const site = await wait({ provider: { ownsAddresses: DOMAINS } });
    site.second.op.user = { sub: "9", email: ADDRESS, email_verified: true };
    expect((await startFresh(site)).url).toContain("error=Verification");
    site.second.op.user = { sub: "2", email: ADDRESS, email_verified: false };
    expect((await startFresh(site)).url).toContain("error=OAuthAccountNotLinked");
    expect(userOf(site)?.id).toBe(site.planted);
    expect(owners(site)).toEqual({ op: site.planted });
  });

  it("links nothing to who signed in meanwhile", async () => {
    const site = await wait({ provider: { ownsAddresses: DOMAINS } });
    const again = await site.app.browser.submit(await openPage(site), { button: "Start fresh" });
    const begun = await site.app.browser.submit(again, { button: "Create a new account" });
    site.app.op.user = { sub: "3", email: "bob@example.com", email_verified: true };
    await site.app.signInWithOp();
    const { url } = await site.second.op.authorize(begun.redirectsTo ?? "");
    const done = await site.app.browser.navigate(url);
    expect(done.redirectsTo).toContain("error=Verification");
    expect(await site.app.session()).toMatchObject({ user: { email: "bob@example.com" } });
    expect(Object.keys(owners(site))).toEqual(["op"]);
  });
});

describe("the database", () => {
  it("asks with an adapter of npm, and leads to the sign-in page where it lists no accounts", async () => {
    const site = await wait({ adapterOf: npmAdapter });
    const text = await site.asked.text();
    expect(text).toContain(`href="${ORIGIN}${BASE}/signin?callbackUrl=`);
    const link = /href="([^"]*\/signin\?[^"]*)"/.exec(text)?.[1]?.replaceAll("&#38;", "&") ?? "";
    const page = await site.app.browser.navigate(link);
    await site.app.browser.submit(page, { action: `${BASE}/signin/op`, follow: "all" });
    expect(owners(site)).toEqual({ op: site.planted, op2: site.planted });
  });

  it("that has no table for the question refuses as before, and the log says why", async () => {
    const adapterOf = ({ adapter }: MemoryAdapter): Adapter => ({
      ...adapter,
      createVerificationToken: async () => {
        throw new Error("no such table");
      },
    });
    const site = await wait({ adapterOf, mayFail: true });
    expect(site.asked.url).toContain("error=OAuthAccountNotLinked");
    expect(site.app.logs.some(({ level }) => level === "error")).toBe(true);
  });

  it("that fails while the account is linked leaves the wait as it was", async () => {
    const site = await wait({ mayFail: true });
    site.memory.fail({ method: "linkAccount", throws: new Error("down") });
    expect((await continueWithOp(site)).url).toContain("error=");
    expect(owners(site)).toEqual({ op: site.planted });
    site.memory.heal();
    await continueWithOp(site);
    expect(owners(site)).toEqual({ op: site.planted, op2: site.planted });
  });

  it("keeps an account whose tokens are too long for a cookie, without its tokens", async () => {
    const site = browserOf({ provider: { account: () => ({ access_token: "x".repeat(5000) }) } });
    await site.app.signInWithOp();
    await site.app.signOut();
    await signInWithSecond(site);
    await continueWithOp(site);
    expect(owners(site)).toEqual({ op: userOf(site)?.id, op2: userOf(site)?.id });
    expect(site.memory.snapshot().accounts.at(-1)).not.toHaveProperty("access_token");
  });
});
