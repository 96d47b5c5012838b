// The Express example with Redis, and the demo's own provider, which tells it of a session that ended there.
import { createBrowser } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { installedServers, startRedis } from "../../packages/store-redis/src/servers/start-redis.ts";
import { startDemo } from "./start-demo.ts";

describe.skipIf(!installedServers().includes("redis-server"))("the Express example with Redis", () => {
  it("ends the session that ended at the provider, a copied cookie too, and no other device's", async () => {
    const redis = await startRedis();
    const demo = await startDemo({ REDIS_URL: redis.url });
    try {
      const home = await (await fetch(demo.url)).text();
      const [, issuer = ""] = /<code>(http[^<]+)</.exec(home) ?? [];
      const open = async () => {
        const routes = { [issuer]: (request: Request) => fetch(request) };
        const browser = createBrowser(fetch, { origin: demo.url, routes, follow: "all" });
        const asked = await browser.submit(await browser.navigate("/auth/signin?callbackUrl=/members"), {
          action: "/auth/signin/local",
        });
        const members = await browser.submit(asked, { button: "Continue", fields: { login: "ada-1815" } });
        expect(members.url).toBe(`${demo.url}/members`);
        const cookie = browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
        return { browser, members, headers: { cookie: cookie.join("; ") } };
      };
      const [laptop, phone] = [await open(), await open()];
      const isSignedIn = async ({ headers }: typeof laptop) =>
        (await (await fetch(`${demo.url}/auth/session`, { headers })).json()) !== null;
      const asked = await laptop.browser.submit(laptop.members, { action: "/sign-out/everywhere" });
      const back = await laptop.browser.submit(asked, { button: "Sign out" });
      expect(back.url).toBe(`${demo.url}/`);
      await expect.poll(() => isSignedIn(laptop)).toBe(false);
      expect(await isSignedIn(phone)).toBe(true);
      expect(demo.output()).not.toContain("[error]");
    } finally {
      await demo.end();
      await redis.close();
    }
  });
});
