import type { Request as ExpressRequest } from "express";
import fc from "fast-check";
import { expect, it } from "vitest";
import { frameworks, runApp } from "./run-app.ts";
import { toSessionRequest } from "./to-session-request.ts";
import { toWebRequestHead } from "./to-web-request.ts";

it.each([
  ["`:authority` of HTTP/2", { ":authority": "a.example", host: "a.example" }, "https://a.example"],
  ["`Host`", { host: "b.example" }, "https://b.example"],
])("toSessionRequest() and toWebRequestHead() read the host from %s", (_where, headers, origin) => {
  const request = { headers, protocol: "https", baseUrl: "", originalUrl: "/x", url: "/x", path: "/x" };
  // All that is read of a request of Express, which has no HTTP/2 of its own.
  const req = request as unknown as ExpressRequest;
  expect(toSessionRequest(req).headers.get("Host")).toBe(new URL(origin).host);
  expect(toWebRequestHead(req).headers.get("Host")).toBe(new URL(origin).host);
  expect(toWebRequestHead(req).url).toBe(`${origin}/x`);
});

const NAMES = ["cookie", "host", "x-forwarded-host", "x-forwarded-proto", "Accept", "x-none"];

it.each(frameworks)(
  "toSessionRequest() has the origin and the headers of the whole request on Express $version",
  async ({ express }) => {
    const app = express();
    const seen: unknown[] = [];
    app.set("trust proxy", true);
    app.use((req, res) => {
      const views = [toSessionRequest(req), toWebRequestHead(req)];
      for (const { url, headers } of views) seen.push([new URL(url).protocol, NAMES.map((name) => headers.get(name))]);
      res.end();
    });
    await using running = await runApp(app);
    const value = fc.stringMatching(/^[!-~]{1,12}$/);
    await fc.assert(
      fc.asyncProperty(value, value, fc.constantFrom("http", "https"), async (one, other, protocol) => {
        const headers = { cookie: `a=${one}; b=${other}`, accept: other, "x-forwarded-proto": protocol };
        await running.send(new Request(`${running.origin}/a?b`, { headers }));
        const [short, whole] = seen.splice(0);
        expect(short).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  },
);
