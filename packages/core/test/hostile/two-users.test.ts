/** Two users of one browser: one is signed in, the other signs in on the built-in page. Whose the account is, they say themselves. */
import { createMemoryAdapter, type JsonObject, type Visit } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { secondProvider, setUpDatabase, signInByApplication } from "../harness/database-app.ts";
import { BASE, cookieHeader, ORIGIN } from "../harness/harness.ts";
import { anotherBrowser } from "../harness/oauth-journeys.ts";
import { setUpPasskeys } from "../harness/passkey-app.ts";

const PAGE = `${ORIGIN}${BASE}/confirm-account?pending=`;
const ADD = { button: "Add it to my account", follow: "all" } as const;
const SWITCH = { button: "Sign in as someone else", follow: "all" } as const;

type Options = NonNullable<Parameters<typeof setUpDatabase>[0]>;

/** Ann is signed in by `op`. `op2` proves Bob. */
async function start(options: Options & { readonly provider?: object } = {}) {
  const { provider, ...rest } = options;
  const second = secondProvider(provider);
  const memory = createMemoryAdapter();
  const app = setUpDatabase({
    ...rest,
    memory,
    providers: [second.provider],
    routes: second.routes,
    alsoTo: [second.op.issuer],
  });
  app.op.user = { sub: "ann", name: "Ann", email: "ann@example.com", email_verified: true };
  second.op.user = { sub: "bob", name: "Bob", email: "bob@example.com", email_verified: true };
  await app.signInWithOp();
  const owners = () =>
    Object.fromEntries(
      memory.snapshot().accounts.map((one) => [`${one.provider} ${one.providerAccountId}`, one.userId]),
    );
  const begin = async () => {
    const page = await app.browser.navigate(`${BASE}/signin?callbackUrl=/dash`);
    return new URL((await app.browser.submit(page, { action: `${BASE}/signin/op2` })).redirectsTo ?? "");
  };
  const comeBack = async (to: URL, user?: JsonObject) => {
    const { url, form } = await second.op.authorize(to, user === undefined ? {} : { user });
    return app.browser.navigate(url, { form, initiator: second.op.issuer });
  };
  const ask = async () => {
    const { redirectsTo = "" } = await comeBack(await begin());
    return { redirectsTo, page: await app.browser.navigate(redirectsTo) };
  };
  return { app, second, memory, owners, begin, comeBack, ask, ann: memory.snapshot().users[0]?.id ?? "" };
}

type Site = Awaited<ReturnType<typeof start>>;
const userOf = async ({ app }: Site) => Object(await app.session()).user?.email;
/** The field of the built-in page. */
async function fieldOn({ app }: Site) {
  const page = await (await app.browser.navigate(`${BASE}/signin`)).text();
  return /name="signInPage" value="([^"]+)"/.exec(page)?.[1] ?? "";
}

/** Bob has an account already. */
async function known(site: Site) {
  const phone = anotherBrowser({ ...site.app, op: site.second.op });
  const page = await phone.navigate(`${BASE}/signin`);
  const begun = await phone.submit(page, { action: `${BASE}/signin/op2` });
  await phone.navigate((await site.second.op.authorize(begun.redirectsTo ?? "")).url);
  return site.owners()["op2 bob"] ?? "";
}

describe.each(["jwt", "database"] as const)("an account of no one, with %s sessions", (strategy) => {
  it("is neither added nor signed in to before they say whose it is", async () => {
    const site = await start({ strategy });
    const { redirectsTo, page } = await site.ask();
    expect(redirectsTo.startsWith(PAGE)).toBe(true);
    expect([page.status, await userOf(site)]).toEqual([200, "ann@example.com"]);
    expect(site.owners()).toEqual({ "op ann": site.ann });
    const text = await page.text();
    for (const part of ["ann@example.com", "bob@example.com", "Second", "Add it to my account", `${ORIGIN}/dash`])
      expect(text).toContain(part);
    expect(text).not.toContain("<script");
    expect(page.headers.get("cache-control")).toContain("no-store");
  });

  it("is added by that answer", async () => {
    const site = await start({ strategy });
    const { page } = await site.ask();
    const done = await site.app.browser.submit(page, ADD);
    expect([done.url, await userOf(site)]).toEqual([`${ORIGIN}/dash`, "ann@example.com"]);
    expect(site.owners()).toEqual({ "op ann": site.ann, "op2 bob": site.ann });
  });

  it("is a new user by the other answer, and the former session has ended", async () => {
    const site = await start({ strategy });
    const { page } = await site.ask();
    const done = await site.app.browser.submit(page, SWITCH);
    expect([done.url, await userOf(site)]).toEqual([`${ORIGIN}/dash`, "bob@example.com"]);
    expect(site.owners()["op2 bob"]).not.toBe(site.ann);
    expect(site.memory.snapshot().sessions.filter(({ userId }) => userId === site.ann)).toEqual([]);
  });
});

describe("an account of another user", () => {
  it("can only be signed in to", async () => {
    const site = await start();
    const bob = await known(site);
    const { page } = await site.ask();
    expect(await page.clone().text()).not.toContain("Add it to my account");
    const pending = new URL(page.url).searchParams.get("pending") ?? "";
    const forged = await site.app.post(`${BASE}/confirm-account`, { pending, answer: "add" });
    expect(forged.status).toBe(403);
    await site.app.browser.submit(page, SWITCH);
    expect([await userOf(site), site.owners()]).toEqual(["bob@example.com", { "op ann": site.ann, "op2 bob": bob }]);
  });
});

describe("the user's own account", () => {
  it("signs in at once", async () => {
    const site = await start();
    await signInByApplication(site.app, "op2");
    expect((await site.comeBack(await site.begin())).redirectsTo).toBe(`${ORIGIN}/dash`);
    expect(site.owners()).toEqual({ "op ann": site.ann, "op2 bob": site.ann });
  });
});

describe("what the application starts", () => {
  it.each([
    ["without the field", () => ({})],
    ["with an invented field", () => ({ signInPage: "A".repeat(43) })],
    ["with the field of another browser", (field: string) => ({ signInPage: field })],
    ["with the field in the query", (field: string) => ({ query: field })],
  ])("%s is added as ever", async (_, fieldsOf) => {
    const site = await start();
    const other = await start();
    const field = await fieldOn(other);
    const { query, ...fields }: { query?: string; signInPage?: string } = fieldsOf(field);
    const path = query === undefined ? `${BASE}/signin/op2` : `${BASE}/signin/op2?signInPage=${await fieldOn(site)}`;
    const begun = await site.app.post(path, { callbackUrl: "/dash", ...fields });
    expect((await site.comeBack(new URL(begun.redirectsTo ?? ""))).redirectsTo).toBe(`${ORIGIN}/dash`);
    expect(site.owners()).toEqual({ "op ann": site.ann, "op2 bob": site.ann });
  });

  it("is rejected if it proves another user's account", async () => {
    const site = await start();
    await known(site);
    const done = await signInByApplication(site.app, "op2");
    expect([done.url.includes("error=OAuthAccountNotLinked"), await userOf(site)]).toEqual([true, "ann@example.com"]);
  });
});

describe("the question", () => {
  it("is answered by the account that was shown: another one is asked about again", async () => {
    const site = await start();
    for (const answer of [ADD, SWITCH]) {
      const { page } = await site.ask();
      const begun = await site.app.browser.submit(page, { button: answer.button });
      const eve = { sub: "eve", name: "Eve", email: "eve@example.com", email_verified: true };
      const again = await site.comeBack(new URL(begun.redirectsTo ?? ""), eve);
      expect(again.redirectsTo?.startsWith(PAGE)).toBe(true);
      expect([await userOf(site), site.owners()]).toEqual(["ann@example.com", { "op ann": site.ann }]);
      expect(await (await site.app.browser.navigate(again.redirectsTo ?? "")).text()).toContain("eve@example.com");
    }
  });

  it("is gone with the session that was asked: the answer is an ordinary sign-in", async () => {
    const site = await start();
    const { page } = await site.ask();
    const begun = await site.app.browser.submit(page, { button: ADD.button });
    await site.app.signOut();
    const done = await site.comeBack(new URL(begun.redirectsTo ?? ""));
    expect([done.redirectsTo, await userOf(site)]).toEqual([`${ORIGIN}/dash`, "bob@example.com"]);
    expect(site.owners()["op2 bob"]).not.toBe(site.ann);
    expect((await site.app.browser.navigate(page.url)).redirectsTo).toContain("/signin?callbackUrl=");
  });

  it("is gone when the session ended before the answer, or another user signed in", async () => {
    for (const end of [async ({ app }: Site) => app.signOut(), async ({ app }: Site) => app.signIn()]) {
      const site = await start({ strategy: "jwt" });
      const { page } = await site.ask();
      await end(site);
      const late = await site.app.browser.submit(page, ADD);
      expect(late.url).toContain(`${BASE}/signin`);
      expect(site.owners()).toEqual({ "op ann": site.ann });
    }
  });

  it("of one browser is nothing in another, also with its cookies", async () => {
    const site = await start();
    const { page } = await site.ask();
    const pending = new URL(page.url).searchParams.get("pending") ?? "";
    const eve = anotherBrowser(site.app);
    expect((await eve.navigate(page.url)).redirectsTo).toContain("/signin?callbackUrl=");
    const cookie = cookieHeader(site.app.browser)
      .split("; ")
      .filter((one) => one.startsWith("__Host-cardea.state."))
      .join("; ");
    const copy = await site.app.send(`${BASE}/confirm-account?pending=${pending}`, { headers: { cookie } });
    expect(copy.headers.get("location")).toContain("/signin?callbackUrl=");
  });

  it("survives a double click, Reload and Back", async () => {
    const site = await start();
    const { redirectsTo, page } = await site.ask();
    const clicks = await Promise.all(
      [0, 1].map(() => site.app.browser.tab().submit(page.clone(), { button: ADD.button })),
    );
    for (const { redirectsTo: to } of clicks) expect(new URL(to ?? "").origin).toBe(site.second.op.issuer);
    expect((await site.app.browser.navigate(redirectsTo)).status).toBe(200);
    for (const { redirectsTo: to } of clicks) await site.comeBack(new URL(to ?? ""));
    expect(site.owners()).toEqual({ "op ann": site.ann, "op2 bob": site.ann });
  });

  it("needs a token, and answers nothing by GET or HEAD", async () => {
    const site = await start();
    const { page } = await site.ask();
    const pending = new URL(page.url).searchParams.get("pending") ?? "";
    const forged = await site.app.browser.navigate(`${BASE}/confirm-account`, { form: { pending, answer: "add" } });
    expect(forged.status).toBe(403);
    const read = await site.app.browser.navigate(`${page.url}&answer=add`);
    expect([read.status, site.owners()]).toEqual([200, { "op ann": site.ann }]);
  });

  it("has replaceable texts", async () => {
    const texts = { confirmAccount: { title: "Wessen Konto?", add: { submit: "Hinzufügen" } } };
    const { page } = await (await start({ config: { texts } })).ask();
    const text = await page.text();
    expect([text.includes("<h1>Wessen Konto?</h1>"), text.includes("Hinzufügen")]).toEqual([true, true]);
  });

  it("is not asked without a database, where nothing is added", async () => {
    const second = secondProvider();
    const app = setUpDatabase({
      strategy: "jwt",
      config: { adapter: undefined as never, providers: [second.provider] },
      routes: second.routes,
      alsoTo: [second.op.issuer],
    });
    second.op.user = { sub: "bob", name: "Bob" };
    for (const _ of ["first", "again"]) {
      const page = await app.browser.navigate(`${BASE}/signin`);
      const done: Visit = await app.browser.submit(page, { action: `${BASE}/signin/op2`, follow: "all" });
      expect(done.url).toBe(`${ORIGIN}/`);
    }
  });
});

describe("other ways to sign in on the built-in page", () => {
  it("are answers themselves: a mailed link and credentials sign in whom they name", async () => {
    const site = await start({ strategy: "jwt" });
    await site.app.post(`${BASE}/signin/email`, { email: "bob@example.com", signInPage: await fieldOn(site) });
    await site.app.open();
    expect(await userOf(site)).toBe("bob@example.com");
    await site.app.signIn({ signInPage: await fieldOn(site) });
    expect(await userOf(site)).toBe("ann@example.com");
    expect(Object.keys(site.owners())).toEqual(["op ann"]);
  });

  it("asks about a passkey of another user: signing in as them ends the session, and takes the passkey once more", async () => {
    const app = setUpPasskeys({ memory: createMemoryAdapter() });
    await app.register("email=bob@example.com");
    await app.signOut();
    app.op.user = { sub: "ann", name: "Ann", email: "ann@example.com", email_verified: true };
    await app.signInWithOp();
    const answer = async (fields: object) => {
      const data = await app.authenticator.get(await app.options("action=authenticate"));
      const visit = await app.answer("authenticate", data, { fields: { ...fields } });
      return String(Object(await visit.json()).url);
    };
    expect(await answer({})).toContain("error=OAuthAccountNotLinked");
    expect(await answer({ signInPage: "A".repeat(43) })).toContain("error=OAuthAccountNotLinked");
    const signInPage = /name="signInPage" value="([^"]+)"/.exec(
      await (await app.browser.navigate(`${BASE}/signin`)).text(),
    );
    const url = await answer({ signInPage: signInPage?.[1] });
    expect(url.startsWith(PAGE)).toBe(true);
    expect(Object(await app.session()).user?.email).toBe("ann@example.com");
    const done = await app.browser.submit(await app.browser.navigate(url), { button: SWITCH.button });
    expect([done.redirectsTo?.includes("/signin?callbackUrl="), await app.session()]).toEqual([true, null]);
    expect(await answer({})).toBe(`${ORIGIN}/dash`);
    expect(Object(await app.session()).user?.email).toBe("bob@example.com");
  });
});
