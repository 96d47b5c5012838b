import { type Journey, sessionLines } from "./journey.ts";

/** The actions and their URLs. */
export const mountJourneys: readonly Journey[] = [
  {
    name: "serves the actions at the base path, on the origin that the browser sees",
    run: async ({ open, base, origin }, equal) => {
      const answer = await open().navigate(`${base}/providers`);
      const list: unknown = await answer.json();
      const urls = Array.isArray(list) ? list.map((entry) => Object(entry).callbackUrl) : list;
      const expected = ["op", "email", "credentials"].map((id) => `${origin}${base}/callback/${id}`);
      equal([answer.status, urls], [200, expected]);
    },
  },
  {
    name: "responds with 404 to an unknown action, and rejects a wrong method",
    run: async ({ raw, base }, equal) => {
      equal((await raw({ target: `${base}/nothing` })).status, 404);
      const wrong = await raw({ target: `${base}/session`, method: "DELETE" });
      // Usually 405. 404 or 403 if the framework itself routes by method, or rejects the request without an `Origin`.
      equal([[403, 404, 405].includes(wrong.status), wrong.body.includes("null")], [true, false]);
    },
  },
  {
    name: "leaves paths outside the base path to the application",
    run: async ({ raw, base }, equal) => {
      for (const target of [`${base}x/session`, `${base}.session`, `${base.toUpperCase()}/session`]) {
        const { status, body } = await raw({ target });
        // Not found, or denied by the application's guard.
        equal([target, status >= 300 && status < 500, body.trim() === "null"], [target, true, false]);
      }
    },
  },
  {
    name: "shows the sign-in page with its security headers",
    run: async ({ open, base }, equal) => {
      const page = await open().navigate(`${base}/signin`);
      const policy = page.headers.get("content-security-policy") ?? "";
      equal([page.status, page.headers.get("content-type")?.startsWith("text/html")], [200, true]);
      equal([policy.includes("frame-ancestors 'none'"), page.headers.get("x-content-type-options")], [true, "nosniff"]);
      equal(page.headers.get("cache-control")?.includes("no-store"), true);
    },
  },
  {
    name: "sets several cookies as several headers",
    run: async ({ open, base }, equal) => {
      const { headers } = await open().navigate(`${base}/signin?callbackUrl=/x`);
      const names = headers.getSetCookie().map((line) => line.split("=")[0]);
      equal(names.toSorted(), ["cardea.callback-url", "cardea.csrf-token"]);
    },
  },
  {
    name: "sets no cookie for visitors who do not sign in",
    run: async ({ open, base, prefix }, equal) => {
      for (const path of [`${base}/session`, `${base}/providers`, `${prefix}/session`, `${prefix}/open`]) {
        const { headers } = await open().navigate(path);
        equal([path, headers.getSetCookie()], [path, []]);
      }
    },
  },
  {
    name: "accepts a trailing slash, or redirects to the path without it",
    run: async ({ open, base }, equal) => {
      const answer = await open().navigate(`${base}/session/`);
      equal([answer.status, (await answer.text()).trim()], [200, "null"]);
    },
  },
  {
    name: "answers HEAD like GET, without a body and without cookies",
    run: async ({ raw, base }, equal) => {
      for (const target of [`${base}/signin`, `${base}/session`]) {
        const { status, body, headers } = await raw({ target, method: "HEAD" });
        equal([target, status, body, headers.getSetCookie()], [target, 200, "", []]);
      }
    },
  },
  {
    name: "the session action leaves a session cookie that another application may have written",
    run: async ({ raw, base }, equal) => {
      const cookie = "cardea.session-token=eyJhbGciOiJkaXIifQ..x.y.z";
      const { status, body, headers } = await raw({ target: `${base}/session`, headers: { cookie } });
      equal([status, body.includes("null"), sessionLines(headers)], [200, true, []]);
    },
  },
];
