import { createBrowser } from "@cardea/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NEXT_SHOP, type RunningNext, startNextApp } from "./next-start.ts";
import { sendRaw } from "./send-raw.ts";

const secret = "a secret of more than thirty-two bytes for tests";

let app: RunningNext;
beforeAll(async () => {
  app = await startNextApp({ AUTH_SECRET: secret, AUTH_TRUST_HOST: "true" }, NEXT_SHOP);
});
afterAll(() => app.end());

const open = () => createBrowser(fetch, { origin: app.url, follow: "same-origin" });
type Browser = ReturnType<typeof open>;

const person = { username: "Ann", password: "correct" };

const json = async (answer: Promise<Response>): Promise<unknown> => (await answer).json();
/** Where a person is led who types this path. */
async function leadsTo(path: string, origin = app.url) {
  const { status, headers } = await sendRaw(origin, path, { "sec-fetch-mode": "navigate" });
  return [status, new URL(headers.location ?? "", origin).href];
}
const signInPage = (path: string) => `${app.url}/shop/api/auth/signin?callbackUrl=${encodeURIComponent(path)}`;

const runtimes = [
  ["nodejs", { actions: "/shop/api/auth", rows: "/shop/node", free: "/shop/free", page: "/shop/component" }],
  [
    "edge",
    { actions: "/shop/edge/auth", rows: "/shop/edge/rows", free: "/shop/free/edge", page: "/shop/edge-component" },
  ],
] as const;

describe.each(runtimes)("below a path of Next.js, %s", (_name, { actions, rows, free, page }) => {
  const post = (browser: Browser, row: string, form: Record<string, string> = {}) =>
    browser.navigate(`${rows}/${row}`, { form });

  it("handlers: the actions are where the browser sees them, and the addresses to register have the path", async () => {
    const browser = open();
    const providers = await json(browser.fetch(`${actions}/providers`));
    expect(providers).toMatchObject([
      { id: "credentials", signinUrl: `${app.url}${actions}/signin/credentials` },
      { id: "op", callbackUrl: `${app.url}${actions}/callback/op` },
    ]);
    const form = await browser.navigate(`${actions}/signin?callbackUrl=${rows}/auth`);
    const back = await browser.submit(form, { action: `${actions}/callback/credentials`, fields: person });
    expect(back.url).toBe(`${app.url}${rows}/auth`);
    expect(await json(browser.fetch(`${actions}/session`))).toMatchObject({ name: "Ann" });
    await browser.submit(await browser.navigate(`${actions}/signout`), { action: `${actions}/signout` });
    expect(await json(browser.fetch(`${actions}/session`))).toBeNull();
    expect((await browser.fetch(`${actions.replace("/shop", "")}/session`)).status).toBe(404);
  });

  it("auth(handler): leads to the sign-in page and from there back, without middleware as well", async () => {
    for (const path of [`${free}/guarded`, `${rows}/lazy-handler`]) {
      const [status, page] = await leadsTo(path);
      // To edge routes Next.js gives their params as a query, too.
      expect([status, String(page).replace(/%3Frow%3D.*/, "")]).toEqual([302, signInPage(path)]);
    }
  });

  it("signIn() sends the address that is registered to the provider", async () => {
    const url = new URL(String(await json(post(open(), "sign-in-op"))));
    expect([url.origin, url.searchParams.get("redirect_uri")]).toEqual([
      "https://op.example",
      `${app.url}/shop/api/auth/callback/op`,
    ]);
  });

  it("signIn() and signOut() in route handlers, and auth() in every form afterwards", async () => {
    const browser = open();
    const entered = await post(browser, "sign-in", { ...person, redirectTo: `${rows}/auth` });
    expect([entered.url, await entered.json()]).toEqual([
      `${app.url}${rows}/auth`,
      [expect.objectContaining({ name: "Ann" }), expect.anything()],
    ]);
    for (const path of [`${rows}/handler`, `${free}/guarded`, page, "/shop/classic"]) {
      expect(await (await browser.navigate(path)).text()).toMatch(/Ann|SECRET/);
    }
    for (const path of ["/shop/api/classic", "/shop/api/classic-edge"]) {
      expect(await json(browser.navigate(path))).toMatchObject({ name: "Ann" });
    }
    await post(browser, "sign-out-url");
    expect(await json(browser.navigate(`${rows}/handler`))).toBeNull();
  });
});

describe("below a path of Next.js", () => {
  it("middleware leads strangers to the sign-in page, and members go on", async () => {
    for (const path of ["/shop/guarded", "/shop/guarded/deep?a=1", "/shop/classic-guarded"]) {
      expect(await leadsTo(path)).toEqual([302, signInPage(path)]);
    }
    const browser = open();
    const form = await browser.navigate("/shop/api/auth/signin?callbackUrl=/shop/guarded");
    const back = await browser.submit(form, { action: "/shop/api/auth/callback/credentials", fields: person });
    expect([back.url, (await back.text()).includes("SECRET")]).toEqual([`${app.url}/shop/guarded`, true]);
  });

  // In Next.js 14 middleware may not set cookies through `next/headers`, which these functions do.
  it.skipIf(process.env.CARDEA_NEXT === "next-14").each(["/shop/component", "/shop/edge-component"])(
    "what middleware changes or ends is so for the page of the same request: %s",
    async (path) => {
      const browser = open();
      await browser.navigate("/shop/node/sign-in", { form: { ...person, redirectTo: "/shop/nowhere" } });
      const renamed = await browser.navigate(`${path}?rename=Annie`);
      expect((await renamed.text()).replaceAll("&quot;", '"')).toContain('"nick":"Annie"');
      expect(await json(browser.navigate("/shop/free/handler"))).toMatchObject({ name: "Ann", nick: "Annie" });
      expect(await (await browser.navigate(`${path}?leave=`)).text()).toContain("session=null");
      expect(await json(browser.navigate("/shop/node/handler"))).toBeNull();
      expect(browser.cookies.get("cardea.session-token")).toBeUndefined();
    },
  );

  it("server actions come back to their page", async () => {
    const browser = open();
    const form = await browser.navigate("/shop/component?a=1", {
      headers: { referer: `${app.url}/shop/component?a=1` },
    });
    const fields = { ...person, redirectTo: "/shop/component?a=2" };
    const entered = await browser.submit(form, { button: "enter", fields });
    expect([entered.url, (await entered.text()).includes("Ann")]).toEqual([`${app.url}/shop/component?a=2`, true]);
    const toPage = await browser.submit(await browser.navigate("/shop/component"), { button: "page" });
    expect(new URL(toPage.url).pathname).toBe("/shop/api/auth/signin");
  });

  it("H340 H342: is no way around middleware", async () => {
    const paths = [
      "/shop/guarded",
      "/shop//guarded",
      "/shop/%67uarded",
      "/shop/./guarded",
      "/shop/api/auth/../../guarded",
    ];
    for (const path of [...paths, "/shop/guarded/", "/shop/shop/guarded", "/shop/_next/data/x/classic-guarded.json"]) {
      const headers = { "x-middleware-subrequest": Array(5).fill("middleware").join(":") };
      const { text } = await sendRaw(app.url, path, headers);
      expect([path, text.includes("SECRET")]).toEqual([path, false]);
    }
  });

  it("H344: middleware with a broken configuration lets no one through", async () => {
    const browser = open();
    await browser.navigate("/shop/node/sign-in", { form: { ...person, redirectTo: "/shop/nowhere" } });
    const answer = await browser.navigate("/shop/broken-gate");
    expect([answer.status, (await answer.text()).includes("SECRET")]).toEqual([500, false]);
  });

  it.each(["https://shop.example", "https://shop.example/shop", "https://shop.example/shop/api/auth"])(
    "AUTH_URL=%s is the address of the application",
    async (url) => {
      const atShop = await startNextApp({ AUTH_SECRET: secret, AUTH_URL: url }, NEXT_SHOP);
      try {
        const providers: unknown = await (await fetch(`${atShop.url}/shop/api/auth/providers`)).json();
        expect(providers).toMatchObject([{}, { callbackUrl: "https://shop.example/shop/api/auth/callback/op" }]);
        const target = "https://shop.example/shop/api/auth/signin?callbackUrl=%2Fshop%2Fguarded";
        expect(await leadsTo("/shop/guarded", atShop.url)).toEqual([302, target]);
        // Next.js 15 also loads the instance of the journeys at once, whose path is another.
        expect(atShop.output()).not.toMatch(/env-url-basepath-mismatch.*`basePath` is \/(?!journeys\/)/);
      } finally {
        await atShop.end();
      }
    },
  );
});
