/** The code beside the link in an e-mail: bound to the browser that asked, few tries, one token with the link. */

import { createHash } from "node:crypto";
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { emailCodes } from "@cardea/providers-email/codes";
import { type Browser, createBrowser, createMemoryAdapter, type Visit } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { type DatabaseOptions, setUpDatabase } from "../../core/test/harness/database-app.ts";
import { BASE, COOKIE, installClock, ORIGIN } from "../../core/test/harness/harness.ts";

const CALLBACK = `${BASE}/callback/email`;
const BOB = "bob@example.com";

/** An application that sends codes, without a limit on e-mails. */
function setUp(options: DatabaseOptions = {}) {
  const codes: (string | undefined)[] = [];
  const links: string[] = [];
  const store = options.config?.store ?? memoryStore({ instances: 1 });
  const app = setUpDatabase({
    ...options,
    email: {
      code: emailCodes,
      rateLimit: () => true,
      sendVerificationRequest: ({ code, url }) => {
        codes.push(code);
        links.push(url);
      },
      ...options.email,
    },
    config: { ...options.config, store },
  });
  const another = () => createBrowser(app.visit, { origin: ORIGIN });
  /** Starts a sign-in and returns the page with the field. */
  const ask = async (browser = app.browser, email = BOB): Promise<Visit> => {
    const page = await browser.navigate(`${BASE}/signin/email?callbackUrl=/members`);
    const sent = await browser.submit(page, { action: `${BASE}/signin/email`, fields: { email } });
    return browser.navigate(sent.redirectsTo ?? "");
  };
  const type = (page: Visit, code: string, browser = app.browser) =>
    browser.submit(page, { action: CALLBACK, fields: { code } });
  const signedIn = (browser = app.browser) => browser.cookies.get(COOKIE.session) !== undefined;
  return { ...app, ask, type, another, signedIn, codes, links, last: () => codes.at(-1) ?? "" };
}

/** The hidden fields of the form with the code. */
async function fieldsOf(page: Visit): Promise<Record<string, string>> {
  const inputs = [...(await page.clone().text()).matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = "", value = ""]) => [name, value]));
}

/** Sends a code from one browser to several processes. */
function sendTo(apps: readonly Pick<ReturnType<typeof setUp>, "visit">[], page: Visit, browser: Browser, code: string) {
  return Promise.all(
    apps.map(async ({ visit }) => {
      const body = new URLSearchParams({ ...(await fieldsOf(page)), code });
      const pairs = browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
      const headers = {
        cookie: pairs.join("; "),
        origin: ORIGIN,
        "content-type": "application/x-www-form-urlencoded",
      };
      return visit(new Request(`${ORIGIN}${CALLBACK}`, { method: "POST", headers, body }));
    }),
  );
}

/** Another code. */
const wrong = (code: string, by = 1) => String((Number(code) + by) % 100_000_000).padStart(8, "0");

describe("a code", () => {
  it("has eight digits and signs in the browser that asked, to where it wanted to go", async () => {
    const { ask, type, last, signedIn } = setUp();
    const page = await ask();
    expect(last()).toMatch(/^[0-9]{8}$/);
    expect((await type(page, `${last().slice(0, 4)} ${last().slice(4)}`)).redirectsTo).toBe(`${ORIGIN}/members`);
    expect(signedIn()).toBe(true);
  });

  it("is not sent unless the provider says so", async () => {
    const { ask, codes } = setUp({ email: { code: undefined } });
    const page = await ask();
    expect(codes).toEqual([undefined]);
    expect(await page.text()).not.toContain("one-time-code");
  });

  it("is one token with the link: the code ends the link", async () => {
    const { ask, type, last, links, another, signedIn } = setUp();
    await type(await ask(), last());
    const thief = another();
    await thief.submit(await thief.navigate(links[0] ?? ""));
    expect(signedIn(thief)).toBe(false);
  });

  it("is one token with the link: the link ends the code", async () => {
    const { ask, type, last, links, another, signedIn } = setUp();
    const page = await ask();
    const phone = another();
    await phone.submit(await phone.navigate(links[0] ?? ""));
    expect((await type(page, last())).redirectsTo).toContain("error=Verification");
    expect([signedIn(phone), signedIn()]).toEqual([true, false]);
  });

  it("signs in once, however often and to however many processes it is sent at the same time", async () => {
    const [memory, config] = [createMemoryAdapter(), { store: memoryStore({ instances: 1 }) }];
    const [app, other] = [setUp({ memory, config }), setUp({ memory, config })];
    const page = await app.ask();
    const send = () => sendTo([app, other], page, app.browser, app.last());
    const answers = (await Promise.all([send(), send(), send()])).flat();
    const issued = answers.filter(({ headers }) =>
      headers.getSetCookie().some((one) => one.startsWith(COOKIE.session)),
    );
    expect(new Set(issued.map(({ headers }) => headers.getSetCookie().join())).size).toBe(1);
    expect(issued.map(({ headers }) => headers.get("location"))).toEqual(issued.map(() => `${ORIGIN}/members`));
    expect(memory.snapshot().sessions).toHaveLength(1);
  });

  it("is worth nothing in another browser, even with the page's own fields", async () => {
    const { ask, last, another, signedIn, browser } = setUp();
    const page = await ask();
    const thief = another();
    const theirs = await ask(thief);
    const flowOf = (visit: Visit) => new URL(visit.url).searchParams.get("flow") ?? "";
    expect(flowOf(theirs)).not.toBe(flowOf(page));
    // The thief has the owner's code, and the owner's flow.
    const code = last();
    const { csrfToken } = await (await thief.fetch(`${BASE}/csrf`)).json();
    const typed = await thief.navigate(CALLBACK, { form: { csrfToken, flow: flowOf(page), code }, method: "POST" });
    expect(typed.redirectsTo).toContain("error=Verification");
    const mixed = await browser.navigate(page.url);
    expect(await mixed.text()).toContain("one-time-code");
    expect(signedIn(thief)).toBe(false);
  });

  it("fits the page of its own tab, and another tab keeps its own", async () => {
    const { ask, type, codes, signedIn } = setUp();
    const [first, second] = [await ask(), await ask()];
    const [own = "", other = ""] = codes;
    if (own !== other) expect((await type(first, other)).redirectsTo).toContain("error=CredentialsSignin");
    expect((await type(first, own)).redirectsTo).toBe(`${ORIGIN}/members`);
    expect(signedIn()).toBe(true);
    expect((await type(second, own)).redirectsTo).not.toBe(`${ORIGIN}/members`);
  });

  it("without the cookies of the browser that asked, by POST or HEAD, is nothing", async () => {
    const { ask, last, visit, memory } = setUp();
    const page = await ask();
    const headers = { origin: ORIGIN, "content-type": "application/x-www-form-urlencoded" };
    const fields = new URLSearchParams({ ...(await fieldsOf(page)), code: last() });
    for (const request of [
      new Request(`${ORIGIN}${CALLBACK}`, { method: "POST", headers, body: fields }),
      new Request(`${ORIGIN}${CALLBACK}?${fields}`, { method: "HEAD" }),
    ])
      expect((await visit(request)).headers.getSetCookie().join()).not.toContain(COOKIE.session);
    expect(memory.snapshot().sessions).toEqual([]);
    expect(memory.snapshot().verificationTokens).toHaveLength(1);
  });

  it("of one address or flow does not fit another", async () => {
    const { ask, type, codes, signedIn } = setUp();
    await ask();
    const second = await ask();
    const [first = "", own = ""] = codes;
    if (first !== own) expect((await type(second, first)).redirectsTo).toContain("error=CredentialsSignin");
    expect(signedIn()).toBe(false);
  });

  it.each([
    [599, true],
    [600, false],
  ])("is valid for ten minutes at most: after %i seconds: %s", async (seconds, isValid) => {
    const clock = installClock();
    const { ask, type, last, signedIn } = setUp({ email: { maxAge: 24 * 60 * 60 } });
    const page = await ask();
    clock.advance({ seconds });
    await type(page, last());
    expect(signedIn()).toBe(isValid);
  });

  it("makes the life of the link ten minutes where no other is configured", async () => {
    const clock = installClock();
    const { ask, links, another, signedIn } = setUp();
    await ask();
    clock.advance({ seconds: 600 });
    const phone = another();
    await phone.submit(await phone.navigate(links[0] ?? ""));
    expect(signedIn(phone)).toBe(false);
  });

  it("is refused without the CSRF token, and asked for again", async () => {
    const { ask, last, browser, signedIn } = setUp();
    const page = await ask();
    const flow = new URL(page.url).searchParams.get("flow") ?? "";
    const typed = await browser.navigate(CALLBACK, { form: { flow, code: last(), csrfToken: "x" }, method: "POST" });
    expect(typed.redirectsTo).toContain(`flow=${flow}&error=CredentialsSignin`);
    expect(signedIn()).toBe(false);
  });

  it("is never in a URL: a GET with it does nothing", async () => {
    const { ask, last, browser, signedIn } = setUp();
    const flow = new URL((await ask()).url).searchParams.get("flow") ?? "";
    await browser.navigate(`${CALLBACK}?flow=${flow}&code=${last()}`);
    expect(signedIn()).toBe(false);
  });

  it("is tried only where callbacks.allowAttempt agrees", async () => {
    const asked: string[] = [];
    const allowAttempt = ({ identifier, request }: { identifier?: string | undefined; request: Request }) => {
      const { pathname } = new URL(request.url);
      asked.push(`${pathname} ${identifier}`);
      return !pathname.includes("callback");
    };
    const { ask, type, last, signedIn } = setUp({ config: { callbacks: { allowAttempt } } });
    expect((await type(await ask(), last())).redirectsTo).toContain("error=AccessDenied");
    expect([asked, signedIn()]).toEqual([[`${BASE}/signin/email ${BOB}`, `${CALLBACK} ${BOB}`], false]);
  });

  it("carries own data of the application", async () => {
    const received: unknown[] = [];
    const app = setUp({ config: { events: { createUser: ({ context }) => void received.push(context) } } });
    const { signIn } = createAuth(app.config);
    const begin = (request: Request) =>
      new URL(request.url).pathname === "/begin"
        ? signIn(request, "email", { email: BOB }, {}, { invite: "i" })
        : app.visit(request);
    const browser = createBrowser(begin, { origin: ORIGIN });
    await app.type(await browser.navigate("/begin", { follow: "all" }), app.last(), browser);
    expect(received).toEqual([{ invite: "i" }]);
  });

  it("needs a store at start", () => {
    const email = {
      id: "email",
      name: "E-mail",
      type: "email",
      code: emailCodes,
      sendVerificationRequest: () => {},
    } as const;
    const { adapter } = createMemoryAdapter();
    const { store: _, ...without } = { ...adapter, store: undefined };
    const config = { secret: "a secret of more than thirty-two bytes", providers: [email] };
    expect(() => createAuth({ ...config, adapter: without })).toThrow("requires it");
    expect(() => createAuth({ ...config, adapter: without, store: memoryStore({ instances: 1 }) })).not.toThrow();
  });
});

describe("wrong codes", () => {
  it.each([
    [4, true],
    [5, false],
    [10, false],
  ])("void the code after five: %i wrong ones, then the right one: %s", async (tries, works) => {
    const { ask, type, last, signedIn, logs, browser } = setUp();
    let page = await ask();
    for (let n = 1; n <= tries; n++) {
      const refused = await type(page, wrong(last(), n));
      expect(refused.redirectsTo).toContain("error=CredentialsSignin");
      page = await browser.navigate(refused.redirectsTo ?? "");
    }
    await type(page, last());
    expect(signedIn()).toBe(works);
    expect(logs.some(({ text }) => text.includes("invalidated the code"))).toBe(!works);
  });

  it("say the same on the page, whether wrong or void", async () => {
    const { ask, type, last, browser } = setUp();
    let page = await ask();
    const seen = new Set<string>();
    for (let n = 1; n <= 7; n++) {
      page = await browser.navigate((await type(page, wrong(last(), n))).redirectsTo ?? "");
      seen.add(/role="alert"[^>]*>([^<]*)/.exec(await page.clone().text())?.[1] ?? "");
    }
    expect(seen.size).toBe(1);
  });

  it("that are no code at all are not counted", async () => {
    const { ask, type, last, signedIn, browser } = setUp();
    let page = await ask();
    for (const typed of ["1", "", "abcdefgh", "123456789", "1234567", "x"]) {
      page = await browser.navigate((await type(page, typed)).redirectsTo ?? "");
    }
    await type(page, last());
    expect(signedIn()).toBe(true);
  });

  it("leave the link alone", async () => {
    const { ask, type, last, links, browser, signedIn } = setUp();
    const page = await ask();
    for (let n = 1; n <= 5; n++) await type(page, wrong(last(), n));
    await browser.navigate(links[0] ?? "");
    expect(signedIn()).toBe(true);
  });

  it("are compared five times at most, of any number at the same time", async () => {
    const { ask, type, last, signedIn } = setUp();
    const page = await ask();
    await Promise.all(Array.from({ length: 30 }, (_, n) => type(page, wrong(last(), n + 1))));
    await type(page, last());
    expect(signedIn()).toBe(false);
  });
});

describe("a stranger who starts sign-in after sign-in for one address", () => {
  /** Five wrong tries in each of so many sign-ins, each in a browser of its own. */
  async function attack(app: ReturnType<typeof setUp>, flows: number): Promise<void> {
    for (let n = 0; n < flows; n++) {
      const stranger = app.another();
      const page = await app.ask(stranger);
      const code = app.last();
      for (let k = 1; k <= 5; k++) await app.type(page, wrong(code, k), stranger);
    }
  }

  it("gets twenty tries in 24 hours; then the mail has no code, and the link goes on", async () => {
    const clock = installClock();
    const app = setUp();
    await attack(app, 4);
    clock.advance({ minutes: 1 });
    const page = await app.ask();
    expect(app.codes).toHaveLength(5);
    expect(app.codes.at(-1)).toBeUndefined();
    expect((await app.type(page, "00000000")).redirectsTo).toContain("error=CredentialsSignin");
    await app.browser.navigate(app.links.at(-1) ?? "");
    expect(app.signedIn()).toBe(true);
  });

  it("gets none with a code that was sent before", async () => {
    const app = setUp();
    const page = await app.ask();
    const code = app.last();
    await attack(app, 4);
    expect((await app.type(page, code)).redirectsTo).toContain("error=CredentialsSignin");
    expect(app.signedIn()).toBe(false);
  });

  it("takes nothing from another address", async () => {
    const app = setUp();
    await attack(app, 4);
    const page = await app.ask(app.browser, "eve@example.com");
    await app.type(page, app.last());
    expect(app.signedIn()).toBe(true);
  });

  it("gets twenty in any 24 hours, not in each day of a calendar", async () => {
    const clock = installClock();
    const app = setUp();
    // One at first, nineteen shortly before its day ends: a day later than the first, one is free again.
    const stranger = app.another();
    const page = await app.ask(stranger);
    await app.type(page, wrong(app.last()), stranger);
    clock.advance({ hours: 23, minutes: 50 });
    await attack(app, 3);
    const last = app.another();
    const lastPage = await app.ask(last);
    for (let n = 1; n <= 4; n++) await app.type(lastPage, wrong(app.last(), n), last);
    clock.advance({ minutes: 20 });
    await app.ask();
    expect(app.codes.at(-1)).toMatch(/^[0-9]{8}$/);
    const again = app.another();
    const pageAgain = await app.ask(again);
    await app.type(pageAgain, wrong(app.last()), again);
    const victim = await app.ask();
    expect(app.codes.at(-1)).toBeUndefined();
    await app.type(victim, "00000000");
    clock.advance({ hours: 23, minutes: 40 });
    await app.ask();
    expect(app.codes.at(-1)).toMatch(/^[0-9]{8}$/);
  });

  it("gets no more because the owner signs in with right codes, and the owner loses none", async () => {
    const app = setUp();
    for (let n = 0; n < 25; n++) {
      const browser = app.another();
      await app.type(await app.ask(browser), app.last(), browser);
      expect(app.signedIn(browser)).toBe(true);
    }
    await attack(app, 4);
    await app.ask();
    expect(app.codes.at(-1)).toBeUndefined();
  });

  /** Processes that share everything but the secret, in the steps of a rotation: the old one, both, the new one. */
  function setUpRotation() {
    const config = { store: memoryStore({ instances: 1 }) };
    const memory = createMemoryAdapter();
    const [old, recent] = ["a former secret of more than 32 bytes", "a newer secret of more than thirty-two bytes"];
    const start = (secret: string[]) => setUp({ memory, config: { ...config, secret } });
    return { former: start([old]), between: start([recent, old]), now: start([recent]) };
  }

  it("gets five tries at one code, whichever secrets the processes have", async () => {
    const { former, between } = setUpRotation();
    for (const order of [
      [former, between],
      [between, former],
    ] as const) {
      // A code of the old secret, which both accept.
      const browser = former.another();
      const page = await former.ask(browser);
      const code = former.last();
      // The same browser, whose requests reach one process or the other.
      const send = async (app: typeof former, typed: string) => (await sendTo([app], page, browser, typed))[0];
      for (let n = 1; n <= 5; n++) await send(order[n % 2] ?? former, wrong(code, n));
      for (const app of order) {
        const answer = await send(app, code);
        expect(answer?.headers.get("location")).toContain("error=CredentialsSignin");
      }
    }
  });

  it("gets twenty tries together from processes of which one accepts the secret of the other", async () => {
    const { former, between, now } = setUpRotation();
    await attack(former, 2);
    await attack(between, 2);
    for (const app of [former, between]) {
      await app.ask();
      expect(app.codes.at(-1)).toBeUndefined();
    }
    await attack(now, 2);
    await now.ask();
    expect(now.codes.at(-1)).toBeUndefined();
  });

  it("gets no more by a rotation of the secret", async () => {
    const store = memoryStore({ instances: 1 });
    const memory = createMemoryAdapter();
    const former = setUp({ memory, config: { store, secret: "a former secret of more than 32 bytes" } });
    await attack(former, 4);
    const secret = ["a newer secret of more than thirty-two bytes", "a former secret of more than 32 bytes"];
    const now = setUp({ memory, config: { store, secret } });
    const page = await now.ask();
    expect(now.codes.at(-1)).toBeUndefined();
    expect((await now.type(page, "00000000")).redirectsTo).toContain("error=CredentialsSignin");
  });

  it("learns nothing that a token which can be guessed could be found by", async () => {
    const token = "123456";
    const app = setUp({ email: { generateVerificationToken: () => token } });
    const page = await app.ask();
    const hash = createHash("sha256").update(token).digest("base64url");
    const shown = JSON.stringify([page.url, app.browser.cookies.list(), await page.text()]);
    expect(shown).not.toContain(hash.slice(0, 8));
    expect(shown).not.toContain(token);
  });
});

describe("an outage of the store", () => {
  it("lets no code pass, and the link goes on", async () => {
    const store = memoryStore({ instances: 1 });
    let isDown = false;
    const failing = { ...store, add: (...all: Parameters<typeof store.add>) => (isDown ? down() : store.add(...all)) };
    const down = () => Promise.reject(new Error("the store is down"));
    const { ask, type, last, links, browser, signedIn } = setUp({ config: { store: failing }, mayFail: true });
    const page = await ask();
    isDown = true;
    await type(page, last());
    expect(signedIn()).toBe(false);
    await browser.navigate(links[0] ?? "");
    expect(signedIn()).toBe(true);
  });

  it("sends the mail without a code that could not be checked", async () => {
    const store = memoryStore({ instances: 1 });
    const failing = { ...store, get: () => Promise.reject(new Error("the store is down")) };
    const { ask, codes, links } = setUp({ config: { store: failing } });
    await ask();
    expect([codes, links.length]).toEqual([[undefined], 1]);
  });
});

describe("an outage of the database", () => {
  it("uses up no code, however often it is entered meanwhile, and forgives no wrong one", async () => {
    const { ask, type, last, memory, signedIn } = setUp({ mayFail: true });
    const page = await ask();
    await type(page, wrong(last()));
    memory.fail({ throws: new Error("the database is down"), times: Number.POSITIVE_INFINITY });
    for (let n = 0; n < 6; n++) await type(page, last());
    memory.heal();
    for (const by of [2, 3, 4]) await type(page, wrong(last(), by));
    await type(page, last());
    expect(signedIn()).toBe(true);

    const other = await ask();
    memory.fail({ throws: new Error("the database is down"), times: Number.POSITIVE_INFINITY });
    for (let n = 0; n < 6; n++) await type(other, last());
    memory.heal();
    for (const by of [1, 2, 3, 4, 5]) await type(other, wrong(last(), by));
    expect((await type(other, last())).redirectsTo).toContain("error=CredentialsSignin");
  });
});
