/** Own data carried through a sign-in: what server code gives to `signIn()` reaches the callbacks, and nothing that a visitor sends. */

import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import type { AuthConfig, SignInContext } from "@cardea/core/types";
import { emailCodes } from "@cardea/providers-email/codes";
import { createBrowser, createMemoryAdapter } from "@cardea/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DatabaseOptions, setUpDatabase } from "../harness/database-app.ts";
import { BASE, COOKIE, ORIGIN, PASSWORD } from "../harness/harness.ts";

const context = { invite: "i-1", plan: { seats: 3 } };

interface Received {
  readonly from: string;
  readonly context: unknown;
}

/** The fields of a form, and own data. */
interface Given {
  readonly context?: SignInContext;
  readonly [field: string]: unknown;
}

/** An application that notes what its callbacks receive, and whose server code starts sign-ins at `/begin/{provider}`. */
function setUp(given: Given | FormData = { context }, options: DatabaseOptions = {}) {
  const { context: own, ...fields } = given instanceof FormData ? { context: undefined } : given;
  const received: Received[] = [];
  const note = (from: string, params: object) => {
    if ("context" in params) received.push({ from, context: params.context });
  };
  const config: Partial<AuthConfig> = {
    callbacks: {
      signIn: (params) => {
        note("signIn", params);
        return true;
      },
      jwt: (params) => {
        note("jwt", params);
        return params.token;
      },
    },
    events: { createUser: (params) => note("createUser", params) },
    ...options.config,
  };
  const app = setUpDatabase({ strategy: "jwt", ...options, config });
  const { signIn } = createAuth(app.config);
  const visit = (request: Request) => {
    const { pathname } = new URL(request.url);
    const provider = /^\/begin\/(.*)$/.exec(pathname)?.[1];
    return provider === undefined
      ? app.visit(request)
      : signIn(request, provider, given instanceof FormData ? given : fields, {}, own);
  };
  const browser = createBrowser(visit, { origin: ORIGIN, routes: { [app.op.issuer]: app.op.handler } });
  const begin = (provider: string) => browser.navigate(`/begin/${provider}`, { follow: "all" });
  const signedIn = () => browser.cookies.get(COOKIE.session) !== undefined;
  return { ...app, begin, browser, received, signedIn };
}

/** A body that a parser has read has any type. */
const assumeForm = (body: unknown): Record<string, string> => body as Record<string, string>;

const all = ["signIn", "createUser", "jwt"].map((from) => ({ from, context }));

describe("own data of a sign-in", () => {
  it("reaches signIn, createUser and jwt of a sign-in at a provider", async () => {
    const { begin, received, signedIn } = setUp();
    await begin("op");
    expect([received, signedIn()]).toEqual([all, true]);
  });

  it("is not in the address of the provider, and not readable in a cookie", async () => {
    const { begin, browser, op } = setUp();
    await begin("op");
    const sent = JSON.stringify([op.calls, browser.cookies.list()]);
    expect(sent).not.toContain("i-1");
  });

  it("reaches them by the link of an e-mail, in any browser", async () => {
    const { begin, received, mails, visit } = setUp({ context, email: "bob@example.com" });
    await begin("email");
    expect(received.splice(0)).toEqual([{ from: "signIn", context }]);
    const phone = createBrowser(visit, { origin: ORIGIN });
    await phone.submit(await phone.navigate(mails[0] ?? ""));
    expect([received, phone.cookies.get(COOKIE.session) !== undefined]).toEqual([all, true]);
    expect(mails[0]).not.toContain("i-1");
  });

  it.each([
    ["of another link", (_own: string, foreign: string) => foreign],
    ["shortened", (own: string) => own.slice(0, -1)],
    ["empty", () => ""],
    ["left out", () => null],
  ])("is part of its link: with data that is %s no one is signed in", async (_name, change) => {
    const { begin, received, mails, visit, memory } = setUp({ context, email: "bob@example.com" });
    await begin("email");
    await begin("email");
    received.splice(0);
    const [link, foreign] = mails.map((mail) => new URL(mail));
    const changed = change(link?.searchParams.get("context") ?? "", foreign?.searchParams.get("context") ?? "");
    const opened = new URL(link ?? "");
    if (changed === null) opened.searchParams.delete("context");
    else opened.searchParams.set("context", changed);
    const phone = createBrowser(visit, { origin: ORIGIN });
    await phone.submit(await phone.navigate(opened.href));
    expect([received, memory.snapshot().users, phone.cookies.get(COOKIE.session)]).toEqual([[], [], undefined]);
    await phone.submit(await phone.navigate(link?.href ?? ""));
    expect(received).toEqual(all);
  });

  it("is not added to a link without any", async () => {
    const first = setUp({ context, email: "bob@example.com" });
    await first.begin("email");
    const foreign = new URL(first.mails[0] ?? "").searchParams.get("context") ?? "";
    await first.ask("eve@example.com");
    first.received.splice(0);
    const link = new URL(first.mails[1] ?? "");
    expect(link.searchParams.has("context")).toBe(false);
    link.searchParams.set("context", foreign);
    await first.open(link.href);
    expect(first.received).toEqual([]);
    expect(first.memory.snapshot().users.map(({ email }) => email)).toEqual(["eve@example.com"]);
  });

  it("reaches them with credentials, and is no field of them", async () => {
    const { begin, received, signedIn } = setUp({ context, username: "Ann", password: PASSWORD });
    await begin("credentials");
    expect([received.map(({ from }) => from), signedIn()]).toEqual([["signIn", "jwt"], true]);
  });

  it("reaches the user whom the owner of an address starts afresh with", async () => {
    const memory = createMemoryAdapter();
    await memory.adapter.createUser({ id: "1", email: "bob@example.com", emailVerified: null });
    const { begin, browser, received, mails } = setUp({ context, email: "bob@example.com" }, { memory });
    await begin("email");
    received.splice(0);
    const choice = await browser.navigate(mails[0] ?? "", { follow: "all" });
    const again = await browser.submit(choice, { button: "Start fresh" });
    await browser.submit(again, { button: "Create a new account" });
    expect(received.map(({ from }) => from)).toEqual(["signIn", "signIn", "createUser", "jwt"]);
    expect(received.every((one) => JSON.stringify(one.context) === JSON.stringify(context))).toBe(true);
  });

  it.each([
    ["a form", new URLSearchParams({ context: JSON.stringify(context) }), "application/x-www-form-urlencoded"],
    ["JSON", JSON.stringify({ context }), "application/json"],
  ])("is never taken from %s that a visitor posts", async (_name, body, type) => {
    const { browser, received, signedIn } = setUp();
    const { csrfToken: own } = await (await browser.fetch(`${BASE}/csrf`)).json();
    const form = type === "application/json" ? JSON.stringify({ ...JSON.parse(String(body)), csrfToken: own }) : body;
    if (form instanceof URLSearchParams) form.set("csrfToken", own);
    const started = await browser.fetch(`${BASE}/signin/op`, {
      method: "POST",
      body: String(form),
      headers: { "content-type": type, "x-auth-return-redirect": "1" },
    });
    await browser.navigate((await started.json()).url, { follow: "all" });
    expect([received, signedIn()]).toEqual([[], true]);
  });

  it("is never taken from a form that server code passes on", async () => {
    const form = new FormData();
    form.set("context", JSON.stringify(context));
    form.set("email", "bob@example.com");
    const typed = setUp(form);
    await typed.begin("email");
    await typed.open();
    expect(typed.received).toEqual([]);
    form.set("context", new File(["{}"], "context.json"));
    const file = setUp(form);
    await file.begin("email");
    await file.open();
    expect(file.received).toEqual([]);
  });

  it("is never taken from the fields, whatever a visitor makes of the body that server code passes on", async () => {
    const value = fc.oneof(
      fc.string(),
      fc.json(),
      fc.object({ maxDepth: 2 }),
      fc.constant(context),
      fc.constant([context]),
    );
    const bags = fc.dictionary(fc.constantFrom("context", "own", "options", "by", "params", "2", "3"), value);
    const { config, end } = setUpDatabase({ strategy: "jwt" });
    const received: unknown[] = [];
    const callbacks = { signIn: (params: object) => received.push(Reflect.get(params, "context")) > 0 };
    const { signIn } = createAuth({ ...config, callbacks });
    const property = fc.asyncProperty(bags, fc.option(fc.constant({ invite: "i-2" })), async (bag, own) => {
      const body = { username: "Ann", password: PASSWORD, ...bag };
      await signIn(new Request(`${ORIGIN}/enter`), "credentials", assumeForm(body), {}, own ?? undefined);
      expect(received.splice(0)).toEqual([own ?? undefined]);
    });
    await fc.assert(property, { numRuns: 100 });
    await end();
  });

  it("is held by the callbacks without a way to change a prototype", async () => {
    const planted = JSON.parse('{ "__proto__": { "admin": true }, "constructor": 1 }');
    const { begin, received } = setUp({ context: planted });
    await begin("op");
    expect(received.map((one) => JSON.stringify(one.context))).toEqual(Array(3).fill('{"constructor":1}'));
  });

  it.each([
    ["a list", ["a"], "an object of JSON values"],
    ["a date", new Date(0), "an object of JSON values"],
    ["more than 1024 bytes", { text: "ä".repeat(507) }, "1025 bytes"],
  ])("is refused as %s", async (_name, wrong, message) => {
    const { begin } = setUp({ context: wrong as unknown as typeof context });
    await expect(begin("op")).rejects.toThrow(message);
  });

  it("may have 1024 bytes", async () => {
    const largest = { text: `a${"ä".repeat(506)}` };
    const { begin, received } = setUp({ context: largest });
    await begin("op");
    expect(received.map((one) => one.context)).toEqual([largest, largest, largest]);
  });

  it("is refused where no sign-in starts, rather than lost", async () => {
    const { begin } = setUp();
    await expect(begin("unknown")).rejects.toThrow("requires the id of a provider");
  });
});

describe("own data and a long destination", () => {
  const text = fc.string({ unit: fc.constantFrom(...'aZ0 "\\é😀'), maxLength: 500 });
  /** As long as `signIn()` accepts. */
  const ownData = text
    .map((value) => ({ value: value.slice(0, 120) }))
    .filter((own) => JSON.stringify(own).length <= 1000);
  const sizes = fc.record({ context: fc.oneof(ownData, fc.constant({ value: "y".repeat(1000) })), path: fc.nat(2020) });

  it.each(["op", "email"])("fit into cookies that browsers store, with %s", async (provider) => {
    await fc.assert(
      fc.asyncProperty(sizes, async ({ context: own, path }) => {
        const email = { code: emailCodes, maxAge: 600 };
        const { config, end } = setUpDatabase({ email, config: { store: memoryStore() } });
        const { signIn } = createAuth(config);
        const redirectTo = `/${"d".repeat(path)}`;
        const address = `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.example`;
        const fields = { redirectTo, email: address };
        const { headers } = await signIn(new Request(`${ORIGIN}/x`), provider, fields, {}, own);
        expect(headers.getSetCookie().filter((line) => line.length > 4096)).toEqual([]);
        await end();
      }),
      { numRuns: 60 },
    );
  });

  it("complete the sign-in, at the base URL if both together are too long", async () => {
    const own = { value: "y".repeat(1000) };
    for (const [length, target] of [
      [10, `${ORIGIN}/${"d".repeat(10)}`],
      [2000, ORIGIN],
    ] as const) {
      const app = setUpDatabase({ strategy: "jwt" });
      const { signIn } = createAuth(app.config);
      const fields = { redirectTo: `/${"d".repeat(length)}` };
      const begun = await signIn(new Request(`${ORIGIN}/x`), "op", fields, {}, own);
      const { url } = await app.op.authorize(begun.headers.get("location") ?? "");
      const cookie = begun.headers.getSetCookie().map((line) => line.split(";")[0]);
      const { headers } = await app.send(`${url}`, { headers: { cookie: cookie.join("; ") } });
      expect(new URL(headers.get("location") ?? "").href).toBe(new URL(target).href);
      expect(headers.getSetCookie().some((line) => line.startsWith(`${COOKIE.session}=ey`))).toBe(true);
    }
  });

  it("fit into the cookie of the page for unproven addresses", async () => {
    const memory = createMemoryAdapter();
    await memory.adapter.createUser({ id: "", email: "bob@example.com", emailVerified: null });
    const app = setUpDatabase({ memory });
    const { signIn } = createAuth(app.config);
    const fields = { redirectTo: `/${"d".repeat(2000)}`, email: "bob@example.com" };
    await signIn(new Request(`${ORIGIN}/x`), "email", fields, {}, { value: "y".repeat(1000) });
    const page = await app.open();
    const answer = await app.browser.submit(page);
    expect(answer.redirectsTo).toBe(`${ORIGIN}${BASE}/confirm-address`);
    const lines = answer.headers.getSetCookie();
    expect(lines.some((line) => line.includes("cardea.address="))).toBe(true);
    expect(lines.filter((line) => line.length > 4096)).toEqual([]);
  });
});
