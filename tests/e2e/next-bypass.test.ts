import { readFile } from "node:fs/promises";
import { createBrowser } from "@cardea/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { isLong } from "../../packages/testing/src/long-form.ts";
import { NEXT_APP, type RunningNext, shareNextApp } from "./next-start.ts";
import { type RawAnswer, sendRaw } from "./send-raw.ts";

let app: RunningNext;
beforeAll(async () => {
  app = await shareNextApp();
});

const send = (path: string, headers?: Record<string, string>) => sendRaw(app.url, path, headers);

async function cookieOfMember(): Promise<string> {
  const browser = createBrowser(fetch, { origin: app.url, follow: "same-origin" });
  await browser.navigate("/node/sign-in", { form: { username: "Ann", password: "correct", redirectTo: "/nowhere" } });
  const value = browser.cookies.get("cardea.session-token")?.value;
  return `cardea.session-token=${value}`;
}

/** Fails when what members see was in the answer. */
function expectClosed(path: string, { status, text }: RawAnswer) {
  expect([path, text.includes("SECRET")]).toEqual([path, false]);
  expect([path, [302, 307, 308, 400, 401, 404].includes(status), status]).toEqual([path, true, status]);
}

/** The routes of the edge runtime, which `npm test` does not build. */
const ofEdge = (...paths: readonly string[]): readonly string[] => (isLong ? paths : []);

/** Pages that check nothing themselves: only the proxy is in front of them. */
const GUARDED = ["/guarded", "/guarded/deep", "/classic-guarded"];

describe("middleware bypass", () => {
  it("is no way in: members get in, strangers do not", async () => {
    const cookie = await cookieOfMember();
    for (const path of GUARDED) {
      expect((await send(path, { cookie })).text).toContain("SECRET");
      const answer = await send(path);
      expectClosed(path, answer);
      const { pathname, search, origin } = new URL(answer.headers.location ?? "", app.url);
      expect([origin, pathname]).toEqual([app.url, "/api/auth/signin"]);
      expect(search).toBe(`?callbackUrl=${encodeURIComponent(path)}`);
    }
    expect((await send("/free/guarded", { cookie })).text).toBe("SECRET");
    expectClosed("/free/guarded", await send("/free/guarded"));
  });

  it("H340: is not done by telling Next that the proxy has run", async () => {
    const names = ["proxy", "middleware", "src/proxy", "src/middleware", "pages/_middleware"];
    for (const path of [...GUARDED, "/free/guarded"]) {
      for (const name of names) {
        const headers = {
          "x-middleware-subrequest": Array(5).fill(name).join(":"),
          "x-middleware-next": "1",
          "x-middleware-skip": "1",
          "x-middleware-rewrite": `${app.url}/guarded`,
          "x-middleware-override-headers": "cookie",
          "x-middleware-request-cookie": "cardea.session-token=x",
        };
        expectClosed(path, await send(path, headers));
      }
    }
  });

  it("H341: is not done by the URLs and headers of data", async () => {
    const build = (await readFile(`${NEXT_APP}/dist/BUILD_ID`, "utf8")).trim();
    const paths = [
      ...["/guarded.rsc", "/guarded?_rsc=1", "/guarded.txt", "/guarded.json", "/guarded.html", "/guarded.meta"],
      ...["/guarded.segments/_tree.segment.rsc", "/guarded.segments/guarded/__PAGE__.segment.rsc"],
      ...["/guarded.prefetch.rsc", "/guarded/deep.rsc", "/index.rsc/../guarded"],
      ...[`/_next/data/${build}/guarded.json`, `/_next/data/${build}/classic-guarded.json`],
      ...["/_next/data/x/classic-guarded.json", `/en/_next/data/${build}/classic-guarded.json`],
    ];
    const variants: Record<string, string>[] = [
      {},
      { rsc: "1" },
      { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" },
      { rsc: "1", "next-router-segment-prefetch": "/guarded/__PAGE__", "next-router-prefetch": "2" },
      { "x-nextjs-data": "1" },
      { purpose: "prefetch", "x-middleware-prefetch": "1" },
      { "sec-fetch-mode": "cors", accept: "text/x-component" },
    ];
    for (const path of [...paths, ...GUARDED]) {
      for (const headers of variants) expectClosed(`${path} ${JSON.stringify(headers)}`, await send(path, headers));
    }
  });

  it("H342: is not done by another spelling of the path", async () => {
    const paths = [
      ...[
        "/%67uarded",
        "//guarded",
        "/guarded%2f",
        "/guarded;x",
        "/GUARDED",
        "/guarded/.",
        "/%2567uarded",
        "\\guarded",
      ],
      ...[
        "/guarded/",
        "/./guarded",
        "/x/../guarded",
        "/x/%2e%2e/guarded",
        "/guarded%00",
        "/guarded%20",
        "/guarded?",
        "/guarded#",
      ],
      ...[
        "/node/../guarded",
        "/node/..%2fguarded",
        "/edge/%2e%2e/guarded",
        "/static/../guarded",
        "/nowhere/../guarded",
      ],
      ...[
        "/free/../guarded",
        "/free/%2e%2e/guarded",
        "/free/..%2fguarded",
        "/free/..;/guarded",
        "/free%2f..%2fguarded",
      ],
      ...["/_next/static/../../guarded", "/_next/static/%2e%2e/%2e%2e/guarded", "/_next/image?url=/guarded&w=64&q=75"],
      ...["/classic%2dguarded", "/CLASSIC-GUARDED", "//classic-guarded", "/guarded/%64eep", "/guarded//deep"],
      ...["/fr\u00e9e/guarded", "/\u212auarded"].map(encodeURI),
      `http://localhost:1/guarded`,
    ];
    for (const path of paths) expectClosed(path, await send(path));
  });

  it("H342: is not done by a header that names another path", async () => {
    for (const name of [
      "x-forwarded-uri",
      "x-original-url",
      "x-rewrite-url",
      "x-matched-path",
      "x-invoke-path",
      "next-url",
    ]) {
      expectClosed(name, await send("/guarded", { [name]: "/static" }));
      expectClosed(name, await send("/static", { [name]: "/guarded" }).then((answer) => ({ ...answer, status: 302 })));
    }
  });

  it.each(["/node", ...ofEdge("/edge/rows")])("H344: is not done by a broken configuration, %s", async (rows) => {
    const cookie = await cookieOfMember();
    const answer = await send(`${rows}/broken-auth`, { cookie });
    expect(JSON.parse(answer.text)).toEqual({ type: "InvalidConfiguration", code: null });
    const guarded = await send(`${rows}/broken-handler`, { cookie });
    expect([guarded.status, guarded.text.includes("SECRET")]).toEqual([500, false]);
  });

  it.each([
    ["a server component", "/broken"],
    ["an API route", "/api/broken"],
  ])("H344: is not done by a broken configuration, in %s", async (_name, path) => {
    const { status, text } = await send(path, { cookie: await cookieOfMember() });
    expect([status, text.includes("SECRET")]).toEqual([500, false]);
  });

  it.each([
    ["false", 302],
    ["undefined", 302],
    ["throw", 500],
    ["response", 418],
  ])("H346, H347: is not done where authorized says %s, for members neither", async (verdict, status) => {
    const cookie = await cookieOfMember();
    for (const headers of [{}, { cookie }]) {
      const answer = await send(`/verdict/${verdict}`, headers);
      expect(answer.status).toBe(status);
      expect(answer.text).not.toContain("no verdict");
    }
  });

  it("H351: leaves no renewed session to a shared cache", async () => {
    const cookie = await cookieOfMember();
    for (const path of ["/node/cached", ...ofEdge("/edge/rows/cached"), "/free/cached", "/static", "/cached"]) {
      const { headers, text } = await send(path, { cookie });
      expect([path, text.includes("for everyone")]).toEqual([path, true]);
      expect(headers["set-cookie"]?.join()).toContain("session-token=ey");
      expect([path, headers["cache-control"]]).toEqual([path, expect.stringMatching(/private.*no-store/)]);
      // Next.js 14 joins what middleware and the route say; with `no-store` among it nothing is stored (RFC 9111 §3).
      if (process.env.CARDEA_NEXT !== "next-14")
        expect([path, headers["cache-control"]]).toEqual([path, expect.not.stringMatching(/s-maxage|public/)]);
      expect(headers["cdn-cache-control"]).toBeUndefined();
    }
    expect((await send("/cached")).headers["cache-control"]).toContain("public");
  });

  // Other builds have middleware of their own.
  it.runIf(process.env.CARDEA_NEXT === undefined)("leaves to no shared cache what a session admitted", async () => {
    const cookie = await cookieOfMember();
    for (const path of ["/static", "/cached", "/component"]) {
      const { status, headers } = await send(`${path}?admitting`, { cookie });
      const caching = [headers["cache-control"], headers["cdn-cache-control"], headers["set-cookie"]];
      expect([path, status, ...caching]).toEqual([path, 200, "private, no-cache, no-store", undefined, undefined]);
      expect([path, (await send(`${path}?admitting`)).status]).toEqual([path, 302]);
    }
  });

  it("H042: the sign-in page is given the way back and nothing else", async () => {
    const path = "/guarded?error=AccessDenied&callbackUrl=https://evil.example&email=x";
    const { status, headers } = await send(path);
    const location = new URL(headers.location ?? "", app.url);
    expect([status, location.pathname]).toEqual([302, "/api/auth/signin"]);
    expect([...location.searchParams.keys()]).toEqual(["callbackUrl"]);
    expect(decodeURIComponent(location.searchParams.get("callbackUrl") ?? "")).toBe(path);
  });

  it("leads no one in a circle", async () => {
    for (const path of ["/api/auth/signin", "/api/auth/error", "/api/auth/session", ...ofEdge("/edge/auth/session")]) {
      expect([path, (await send(path)).status]).toEqual([path, 200]);
    }
  });
});
