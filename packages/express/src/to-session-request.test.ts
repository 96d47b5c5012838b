import fc from "fast-check";
import { expect, it } from "vitest";
import { frameworks, runApp } from "./run-app.ts";
import { toSessionRequest } from "./to-session-request.ts";
import { toWebRequestHead } from "./to-web-request.ts";

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
