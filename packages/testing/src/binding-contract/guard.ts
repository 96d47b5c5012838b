import { cookieOf, type Journey, type Site, sessionLines, signedIn } from "./journey.ts";
import type { RawRequest } from "./send-raw.ts";
import { spellings } from "./spellings.ts";

/** Finds requests with which a visitor gets the secret, runs the handler or causes a server error. */
async function refuse(site: Site, requests: readonly RawRequest[]): Promise<readonly string[]> {
  const problems: string[] = [];
  const before = await site.countRuns();
  for (const request of requests) {
    const { status, body } = await site.raw(request);
    if (body.includes("SECRET")) problems.push(`${describeRequest(request)} shows the members' content`);
    if (status >= 500 && status !== 501 && !isUnservable(request))
      problems.push(`${describeRequest(request)} gets ${status}`);
  }
  return (await site.countRuns()) === before ? problems : [...problems, ...(await findRuns(site, requests))];
}

/** Servers may fail on such requests (RFC 9110 §9.3.7, §9.3.8), as long as no handler runs. */
const isUnservable = ({ method, target }: RawRequest): boolean => method === "TRACE" || target === "*";

/** Which of the requests run the handler. */
async function findRuns(site: Site, requests: readonly RawRequest[]): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const request of requests) {
    const before = await site.countRuns();
    await site.raw(request);
    if ((await site.countRuns()) !== before) problems.push(`${describeRequest(request)} runs the handler`);
  }
  return problems;
}

const describeRequest = ({ method = "GET", target, headers = {} }: RawRequest): string =>
  `${method} ${JSON.stringify(target)} ${Object.keys(headers)}`.trim();

const targets = (site: Site, list: readonly string[]): readonly RawRequest[] =>
  list.map((spelling) => ({
    target: spelling
      .replaceAll("{base}", site.base)
      .replaceAll("{at}", site.prefix)
      .replaceAll("{origin}", site.origin),
  }));

const spellingJourneys: readonly Journey[] = Object.entries(spellings).map(([kind, list]) => ({
  name: `the guard and the router agree on the path: ${kind}`,
  needs: "targets",
  run: async (site, equal) => equal(await refuse(site, targets(site, list)), []),
}));

/** The guard of `{prefix}/members`. */
export const guardJourneys: readonly Journey[] = [
  {
    name: "visitors are redirected to the sign-in page, and the handler does not run",
    run: async (site, equal) => {
      const before = await site.countRuns();
      const path = `${site.prefix}/members/area?a=1&b=%26`;
      const answer = await site.open().navigate(path, { follow: "none" });
      const { origin, pathname, searchParams } = new URL(answer.redirectsTo ?? "");
      equal(
        [answer.status >= 302 && answer.status <= 307, origin, pathname],
        [true, site.origin, `${site.base}/signin`],
      );
      equal([[...searchParams.keys()], searchParams.get("callbackUrl")], [["callbackUrl"], path]);
      equal(await site.countRuns(), before);
    },
  },
  {
    name: "scripts of visitors get 401",
    run: async (site, equal) => {
      const answer = await site.open().fetch(`${site.prefix}/members`, { follow: "none" });
      equal([answer.status, (await answer.text()).includes("SECRET")], [401, false]);
    },
  },
  {
    name: "signed-in users are let in, and the handler runs once",
    run: async (site, equal) => {
      const headers = { cookie: await cookieOf(site) };
      const before = await site.countRuns();
      equal((await site.raw({ target: `${site.prefix}/members`, headers })).body.includes("SECRET of Ann"), true);
      equal(await site.countRuns(), before + 1);
    },
  },
  {
    name: "visitors whom the guard redirected can open the sign-in page",
    run: async (site, equal) => {
      const page = await site.open().navigate(`${site.prefix}/members`);
      equal([page.status, new URL(page.url).pathname], [200, `${site.base}/signin`]);
    },
  },
  {
    name: "an ended session does not give access",
    run: async (site, equal) => {
      const browser = await signedIn(site);
      const page = await browser.navigate(`${site.base}/signout`);
      await browser.submit(page, { action: `${site.base}/signout` });
      const answer = await browser.navigate(`${site.prefix}/members`, { follow: "none" });
      equal([answer.status === 200, sessionLines(answer.headers)], [false, []]);
    },
  },
  {
    name: "no method gets a visitor past the guard",
    needs: "targets",
    run: async (site, equal) => {
      const methods = ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "QUERY", "get", "FOO"];
      const requests = methods.map((method) => ({ target: `${site.prefix}/members/area`, method }));
      equal(await refuse(site, requests), []);
    },
  },
  {
    name: "no header gets a visitor past the guard",
    run: async (site, equal) => {
      const target = `${site.prefix}/members`;
      const other = `${site.prefix}/open`;
      const names = ["x-original-url", "x-rewrite-url", "x-forwarded-uri", "x-forwarded-path", "x-invoke-path"];
      const framework = ["x-middleware-subrequest", "x-matched-path", "x-sveltekit-pathname", "x-http-method-override"];
      const requests = [...names, ...framework].map((name) => ({ target, headers: { [name]: other } }));
      equal(await refuse(site, requests), []);
    },
  },
  ...spellingJourneys,
];
