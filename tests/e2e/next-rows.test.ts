import { createBrowser } from "@cardea/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { share } from "../../packages/testing/src/long-form.ts";
import { type RunningNext, shareNextApp } from "./next-start.ts";

let app: RunningNext;
beforeAll(async () => {
  app = await shareNextApp();
});

const open = () => createBrowser(fetch, { origin: app.url, follow: "same-origin" });
type Browser = ReturnType<typeof open>;

/** What a row of routes answers, and the actions of the same runtime. */
interface Runtime {
  readonly rows: string;
  /** The same rows where no proxy is in front. */
  readonly free: string;
  readonly actions: string;
  readonly page: string;
}
const runtimes: readonly (readonly [string, Runtime])[] = [
  ["nodejs", { rows: "/node", free: "/free", actions: "/api/auth", page: "/component" }],
  ["edge", { rows: "/edge/rows", free: "/free/edge", actions: "/edge/auth", page: "/edge-component" }],
];

const person = { username: "Ann", password: "correct" };

async function signedIn(): Promise<Browser> {
  const browser = open();
  await browser.navigate("/node/sign-in", { form: { ...person, redirectTo: "/nowhere" } });
  return browser;
}

const json = async (answer: Promise<Response>): Promise<unknown> => (await answer).json();

/** What the components of a page say. */
async function readPage(answer: Response): Promise<readonly (readonly [unknown, string])[]> {
  const text = (await answer.text()).replaceAll("&quot;", '"');
  const said = [...text.matchAll(/<p>session=(.*?);same=(\w+)<\/p>/g)];
  return said.map(([, session = "", same = ""]) => [JSON.parse(session), same]);
}

const submitOn = async (browser: Browser, path: string, button: string, fields: Record<string, string> = {}) =>
  browser.submit(await browser.navigate(path), { button, fields });

const readOutputs = async (answer: Response) =>
  [...(await answer.text()).matchAll(/<output>(.*?)<\/output>/g)].map(([, said]) => said);

const cookiesOf = (answer: Response) => answer.headers.getSetCookie().filter((line) => line.includes("session-token"));

// `npm test` builds no routes of the edge runtime.
describe.each(share(runtimes, 2, 0))("the operations in the %s runtime", (_name, { rows, free, actions, page }) => {
  const post = (browser: Browser, row: string, form: Record<string, string> = {}) =>
    browser.navigate(`${rows}/${row}`, { form });

  it("handlers: signs in by the built-in page and answers with the session", async () => {
    const browser = open();
    const form = await browser.navigate(`${actions}/signin?callbackUrl=${rows}/auth`);
    const back = await browser.submit(form, { action: `${actions}/callback/credentials`, fields: person });
    expect(new URL(back.url).pathname).toBe(`${rows}/auth`);
    expect(await json(browser.fetch(`${actions}/session`))).toMatchObject({ name: "Ann" });
    const csrf = await json(browser.fetch(`${actions}/csrf`));
    expect(csrf).toEqual({ csrfToken: expect.any(String) });
    const left = await browser.submit(await browser.navigate(`${actions}/signout`), { action: `${actions}/signout` });
    expect(left.status).toBeLessThan(500);
    expect(await json(browser.fetch(`${actions}/session`))).toBeNull();
  });

  it("auth(): the session or null, and no cookie", async () => {
    expect(await json(open().navigate(`${rows}/auth`))).toEqual([null, null]);
    const browser = await signedIn();
    const answer = await browser.navigate(`${rows}/auth`);
    expect(await answer.json()).toEqual([
      expect.objectContaining({ name: "Ann" }),
      expect.objectContaining({ name: "Ann" }),
    ]);
    // One, from the proxy: the route itself writes none.
    expect(cookiesOf(answer)).toHaveLength(1);
  });

  it("auth(handler): the request carries the session, in a proxied route and with its params", async () => {
    expect(await json(open().navigate(`${rows}/handler`))).toBeNull();
    const browser = await signedIn();
    expect(await json(browser.navigate(`${rows}/handler`))).toMatchObject({ name: "Ann" });
    expect(await json(browser.navigate(`${rows}/params`))).toEqual(["Ann", "params"]);
  });

  it("auth() and auth(handler) with a configuration for each request", async () => {
    // Node's fetch says that it is no navigation: a program is told, not led.
    expect((await open().navigate(`${rows}/lazy-handler`)).status).toBe(401);
    const browser = await signedIn();
    expect(await json(browser.navigate(`${rows}/lazy`))).toEqual({ name: "Ann", seenPath: null });
    expect(await json(browser.navigate(`${rows}/lazy-handler`))).toEqual({
      name: "Ann",
      seenPath: `${rows}/lazy-handler`,
    });
  });

  it("signIn(): redirects with the session's cookie", async () => {
    const browser = open();
    const answer = await post(browser, "sign-in", { ...person, redirectTo: `${rows}/auth` });
    expect(answer.hops.map(({ status }) => status)).toEqual([303, 200]);
    expect(await answer.json()).toEqual([expect.objectContaining({ name: "Ann" }), expect.anything()]);
  });

  it("signIn(): without a provider to the sign-in page, with redirect: false to nowhere", async () => {
    const answer = await browserless(rows, "sign-in-page");
    expect(answer.headers.get("location")).toBe(
      `${app.url}/api/auth/signin?callbackUrl=${encodeURIComponent(`${app.url}/members`)}`,
    );
    const browser = open();
    expect(await json(post(browser, "sign-in-url", { ...person, redirectTo: "/there" }))).toBe(`${app.url}/there`);
    expect(await json(browser.navigate(`${rows}/handler`))).toMatchObject({ name: "Ann" });
  });

  it.each([
    ["wrong", { type: "CredentialsSignin", code: "credentials" }],
    ["again", { type: "CredentialsSignin", code: "too-often" }],
    ["broken", { type: "CallbackRouteError", code: null }],
  ])("signIn(): throws an AuthError when the password is %s", async (password, expected) => {
    const browser = open();
    expect(await json(post(browser, "sign-in-error", { ...person, password }))).toEqual(expected);
    expect(await json(browser.navigate(`${rows}/handler`))).toBeNull();
  });

  it("signOut(): redirects, and the session is over, though the proxy renewed it a moment before", async () => {
    const browser = await signedIn();
    const answer = await post(browser, "sign-out");
    expect(new URL(answer.hops[0]?.headers.get("location") ?? "", app.url).pathname).toBe("/bye");
    expect(await json(browser.navigate(`${rows}/handler`))).toBeNull();
    const other = await signedIn();
    expect(await json(post(other, "sign-out-url"))).toBe(`${app.url}/bye`);
    expect(other.cookies.get("cardea.session-token")).toBeUndefined();
  });

  it("unstable_update(): changes the session, or resolves to null", async () => {
    const body = JSON.stringify({ nick: "Annie" });
    const update = (browser: Browser) => browser.fetch(`${rows}/update`, { method: "POST", body });
    expect(await json(update(open()))).toBeNull();
    const browser = await signedIn();
    await browser.navigate(`${rows}/auth`);
    expect(await json(update(browser))).toMatchObject({ name: "Ann", nick: "Annie" });
    expect(await json(browser.navigate(`${rows}/handler`))).toMatchObject({ nick: "Annie" });
  });

  it("signOut() within auth(handler): the handler has the last word", async () => {
    const browser = await signedIn();
    expect(await json(browser.navigate(`${rows}/leave-behind`))).toMatchObject({ name: "Ann" });
    expect(browser.cookies.get("cardea.session-token")).toBeUndefined();
  });

  it("auth(handler): a cookie of the handler's own stays as it is beside the renewed one", async () => {
    const browser = await signedIn();
    const answer = await browser.navigate(`${free}/own-cookie`);
    expect([answer.status, cookiesOf(answer).length]).toEqual([200, 1]);
    expect(browser.cookies.get("theirs")?.value).toBe("100%25");
  });

  it("auth(handler): a redirect of Next's own passes through, with the renewed session", async () => {
    const browser = await signedIn();
    const before = browser.cookies.get("cardea.session-token")?.value;
    const answer = await browser.navigate(`${free}/redirects`);
    const [hop] = answer.hops;
    expect([hop?.status, new URL(hop?.headers.get("location") ?? "", app.url).pathname]).toEqual([307, "/elsewhere"]);
    expect(browser.cookies.get("cardea.session-token")?.value).not.toBe(before);
  });

  it("tokens of any characters survive Next's cookies", async () => {
    const browser = open();
    await post(browser, "sign-in-odd", { ...person, redirect: "false" });
    expect(await json(browser.navigate(`${free}/odd-auth`))).toMatchObject({ name: "Ann", nick: null });
    for (let renewals = 2; renewals < 4; renewals++) {
      expect(await json(browser.navigate(`${free}/odd`))).toMatchObject({ name: "Ann", renewals });
    }
    const body = JSON.stringify({ nick: "50% : é;" });
    expect(await json(browser.fetch(`${free}/update-odd`, { method: "POST", body }))).toMatchObject({ name: "Ann" });
    expect(await json(browser.navigate(`${free}/odd-auth`))).toMatchObject({ nick: "50% : é;" });
  });

  it("answers 503 where sessions cannot be read, and runs no handler; auth() rejects", async () => {
    const browser = open();
    await post(browser, "sign-in", { ...person, username: "Outage", redirectTo: "/free/nowhere" });
    const before = browser.cookies.get("cardea.session-token")?.value;
    // By the proxy, by the handler itself, and where neither is in front.
    for (const path of [`${rows}/handler`, `${free}/guarded`, page, "/guarded", "/api/classic"]) {
      const answer = await browser.navigate(path);
      expect([path, answer.status, answer.headers.get("retry-after")]).toEqual([path, 503, "5"]);
      expect(await answer.text()).not.toMatch(/SECRET|Outage|database/);
    }
    expect(await json(browser.navigate(`${free}/unavailable`))).toEqual({ type: "SessionUnavailable", code: null });
    const rendered = await browser.navigate("/free/component");
    expect([rendered.status, (await rendered.text()).includes("session=")]).toEqual([500, false]);
    expect((await browser.navigate(`${actions}/session`)).status).toBe(503);
    expect(browser.cookies.get("cardea.session-token")?.value).toBe(before);
  });

  it("auth() in server components: read once, renewed by the proxy before, written nothing", async () => {
    const visitor = await open().navigate(page);
    expect(await readPage(visitor)).toEqual([
      [null, "true"],
      [null, "true"],
      [null, "true"],
    ]);
    expect(visitor.headers.getSetCookie()).toEqual([]);
    const browser = await signedIn();
    // One from signing in, one from the proxy of each navigation, one from reading it.
    const answer = await browser.navigate(page);
    const [first, ...others] = await readPage(answer);
    expect(first).toEqual([expect.objectContaining({ name: "Ann" }), "true"]);
    expect(others).toEqual([first, first]);
    expect(cookiesOf(answer)).toHaveLength(1);
    const renewalsOf = async () => parseRenewals((await readPage(await browser.navigate(page)))[0]?.[0]);
    const before = await renewalsOf();
    expect(await renewalsOf()).toBe(before + 1);
    const unseen = parseRenewals(await json(browser.navigate("/free/handler")));
    expect(unseen).toBe(before + 1);
  });

  // Next.js 14 renders the page of a form without scripts with the cookies that came with the request and, in the edge runtime,
  // without the action's result.
  it.skipIf(process.env.CARDEA_NEXT === "next-14")(
    "signIn() and unstable_update() in server actions: errors reach the caller, changes are seen at once",
    async () => {
      const browser = await signedIn();
      const refused = await submitOn(browser, page, "enter", { ...person, password: "again" });
      expect(await readOutputs(refused)).toEqual(["CredentialsSignin too-often", "", "", ""]);
      const updated = await submitOn(browser, page, "update", { nick: "Annie" });
      expect((await readPage(updated.clone()))[0]?.[0]).toMatchObject({ nick: "Annie" });
      expect((await readOutputs(updated))[2]).toBe("none Annie Annie");
    },
  );
});

describe("server actions without scripts", () => {
  // In the edge runtime Next.js 16 answers every redirect of a server action with 500 then, its own included.
  it("signIn() and signOut() redirect", async () => {
    const browser = open();
    const entered = await submitOn(browser, "/component", "enter", { ...person, redirectTo: "/component?a=1" });
    expect(entered.hops.map(({ status }) => status)).toEqual([303, 200]);
    expect(entered.url).toBe(`${app.url}/component?a=1`);
    expect((await readPage(entered))[0]?.[0]).toMatchObject({ name: "Ann" });
    const left = await submitOn(browser, "/component", "leave");
    expect((await readPage(left))[0]).toEqual([null, "true"]);
    expect(browser.cookies.get("cardea.session-token")).toBeUndefined();
    const toPage = await submitOn(browser, "/component", "page");
    expect(new URL(toPage.url).pathname).toBe("/api/auth/signin");
  });
});

describe("the operations in the Pages Router", () => {
  it("spec 4.2 auth context: server-side page props, with a configuration for each request as well", async () => {
    expect(await (await open().navigate("/classic")).text()).toContain("session=null;lazily=null");
    const browser = await signedIn();
    const answer = await browser.navigate("/classic?a=1");
    expect((await answer.text()).replaceAll("&quot;", '"')).toMatch(/session=\{"name":"Ann".*;lazily=\/classic</);
    expect(answer.headers.get("cache-control")).toContain("no-store");
  });

  it.each(["/api/classic", "/api/classic-edge"])("auth in the API route %s", async (path) => {
    expect(await json(open().navigate(path))).toBeNull();
    const browser = await signedIn();
    expect(await json(browser.navigate(path))).toMatchObject({ name: "Ann" });
    expect(browser.cookies.get("cardea.session-token")).toBeDefined();
    expect(await json(browser.navigate(path))).toMatchObject({ name: "Ann" });
  });
});

/** A POST without a browser: a redirect is not followed. */
function browserless(rows: string, row: string): Promise<Response> {
  return fetch(`${app.url}${rows}/${row}`, { method: "POST", body: new URLSearchParams(), redirect: "manual" });
}

function parseRenewals(session: unknown): number {
  return Number((session as { renewals?: number } | null)?.renewals);
}
