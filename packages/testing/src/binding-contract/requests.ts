import { cookieOf, type Journey, nameOf, signedIn, signIn } from "./journey.ts";

const FIXED = "https://app.example.com";

async function callbackOf(answer: { readonly body: string }): Promise<string> {
  return /"callbackUrl":"([^"]*)\/callback\/op"/.exec(answer.body)?.[1] ?? "";
}

/** Bodies, connections and proxies. */
export const requestJourneys: readonly Journey[] = [
  {
    name: "a body over 64 KiB is rejected with 413, even without a declared length",
    run: async (site, equal) => {
      const request = { target: `${site.base}/signin/email`, method: "POST" };
      // Some frameworks reject a form without an `Origin`.
      const type = { "content-type": "application/x-www-form-urlencoded", origin: site.origin };
      const body = `a=${"x".repeat(70 * 1024)}`;
      equal((await site.raw({ ...request, headers: type, body })).status, 413);
      const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      const headers = { ...type, "transfer-encoding": "chunked" };
      // Some servers close the connection when the application stops reading.
      const { status } = await site.raw({ ...request, headers, body: chunked });
      equal([status === 413 || status === 0, status], [true, status]);
    },
  },
  {
    name: "a method that a Request cannot have is a client error",
    needs: "methods",
    run: async (site, equal) => {
      for (const target of [`${site.base}/session`, `${site.prefix}/members`, `${site.prefix}/open`]) {
        const { status, body } = await site.raw({ target, method: "TRACE" });
        // 405 from the guard and the actions; 400 if the framework itself creates a `Request` first.
        equal([target, status === 400 ? 405 : status, body.includes("SECRET")], [target, 405, false]);
      }
    },
  },
  {
    name: "a request with several Host lines is rejected with 400, by the guard and by the actions",
    needs: "hosts",
    run: async (site, equal) => {
      const cookie = await cookieOf(site);
      const { host } = new URL(site.origin);
      const before = await site.countRuns();
      for (const target of [`${site.base}/session`, `${site.base}/signin`, `${site.prefix}/members`]) {
        for (const [first, second] of [
          [host, "other.example.com"],
          ["other.example.com", host],
          [host, host],
        ]) {
          const { status, body } = await site.raw({ target, headers: { cookie, Host: `${first}`, host: `${second}` } });
          equal([target, first, status, body.includes("SECRET")], [target, first, 400, false]);
        }
      }
      equal(await site.countRuns(), before);
    },
  },
  {
    name: "a body below the limit is read completely",
    run: async (site, equal) => {
      const browser = site.open();
      const page = await browser.navigate(`${site.base}/signin/credentials`);
      const fields = { username: "Ann", password: "correct", padding: "x".repeat(60_000) };
      await browser.submit(page, { action: `${site.base}/callback/credentials`, fields, follow: "none" });
      equal(await nameOf(site, browser), "Ann");
    },
  },
  {
    name: "a body that cannot be parsed is a client error, not a server error",
    run: async (site, equal) => {
      const headers = { "content-type": "application/json" };
      const { status } = await site.raw({ target: `${site.base}/signout`, method: "POST", headers, body: "{" });
      equal([status >= 400, status < 500], [true, true]);
    },
  },
  {
    name: "a client that disconnects during a body or a response does not affect others",
    run: async (site, equal) => {
      const headers = { "content-type": "application/x-www-form-urlencoded", "content-length": "100" };
      const half = { target: `${site.base}/signout`, method: "POST", headers, body: "csrf", leave: true };
      await Promise.all([half, half, half, half].map((request) => site.raw(request)));
      await Promise.all([1, 2, 3, 4].map(() => site.raw({ target: `${site.base}/signin`, leave: true })));
      equal((await site.raw({ target: `${site.base}/session` })).status, 200);
      equal(await nameOf(site, await signedIn(site)), "Ann");
    },
  },
  {
    name: "a trusted proxy: origin and cookies belong to the public URL",
    run: async (site, equal) => {
      const headers = { "x-forwarded-host": "app.example.com", "x-forwarded-proto": "https" };
      const target = `${site.base}/signin`;
      equal(await callbackOf(await site.raw({ target: `${site.base}/providers`, headers })), `${FIXED}${site.base}`);
      const lines = (await site.raw({ target, headers })).headers.getSetCookie();
      equal([lines.length > 0, lines.every((line) => /^__Host-.*; Secure/.test(line))], [true, true]);
    },
  },
  {
    name: "a trusted proxy: signs in over https and returns to the public URL",
    run: async (site, equal) => {
      const browser = site.open(FIXED);
      const back = await signIn(site, browser, "Ann", `${site.prefix}/members`);
      equal([back.url, await back.text()], [`${FIXED}${site.prefix}/members`, "SECRET of Ann"]);
      equal(browser.cookies.get("__Host-cardea.session-token")?.secure, true);
    },
  },
  {
    name: "a request target in absolute form does not change the origin",
    needs: "targets",
    run: async (site, equal) => {
      const answer = await site.raw({ target: `http://evil.example${site.base}/providers` });
      const origin = await callbackOf(answer);
      equal([origin === "" || origin === `${site.origin}${site.base}`, origin], [true, origin]);
    },
  },
  {
    name: "AUTH_URL: no header changes the origin",
    env: { AUTH_URL: FIXED },
    run: async (site, equal) => {
      const proxied = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" };
      for (const headers of [{}, { host: "evil.example" }, proxied]) {
        const answer = await site.raw({ target: `${site.base}/providers`, headers });
        equal(await callbackOf(answer), `${FIXED}${site.base}`);
      }
      const answer = await site.raw({ target: `${site.prefix}/members`, headers: { host: "evil.example" } });
      equal(new URL(answer.headers.get("location") ?? "").origin, FIXED);
    },
  },
  {
    name: "concurrent requests get their own sessions",
    run: async (site, equal) => {
      const names = ["Ada", "Grace", "Mary", "Kate"];
      const cookies = await Promise.all(names.map((name) => cookieOf(site, name)));
      const rounds = Array.from({ length: 10 }, (_, round) => round % names.length);
      const answers = await Promise.all(
        rounds.map((at) => site.raw({ target: `${site.prefix}/session`, headers: { cookie: cookies[at] ?? "" } })),
      );
      equal(
        answers.map(({ body }) => /"name":"(\w+)"/.exec(body)?.[1]),
        rounds.map((at) => names[at]),
      );
    },
  },
  {
    name: "ordinary visits log no error",
    run: async (site, equal) => {
      equal(site.output().includes("[error] InvalidConfiguration"), false);
      equal(/UnhandledPromiseRejection|ERR_HTTP_HEADERS_SENT|uncaughtException/.test(site.output()), false);
    },
  },
];
