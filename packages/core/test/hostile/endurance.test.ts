/** What holds however often, however oddly and with however much it is asked (safety section 3, "any", "rotation", "cookie jar"). */
import { describe, expect, it, vi } from "vitest";
import { BASE, type Case, COOKIE, ORIGIN, setUp } from "../harness/harness.ts";
import { anotherBrowser, attempt, begin, comeBack, expectSignedIn, start } from "../harness/oauth-journeys.ts";

describe("whatever happens", () => {
  it("H316 does not mix two configurations in one process, however their requests interleave", async () => {
    const a = setUp({
      config: {
        secret: "a canary secret of more than thirty-two bytes",
        pages: { signIn: "/login", error: "/oops" },
        callbacks: { session: ({ session }) => ({ ...session, of: "a" }) },
        session: { maxAge: 60 },
        cookies: { sessionToken: { name: "__Host-a" } },
      },
    });
    const b = setUp({ config: { secret: "b canary secret of more than thirty-two bytes" } });
    const signInAndRead = async (c: Case) => {
      const tab = anotherBrowser(c);
      const page = await (await tab.fetch(`${BASE}/csrf`)).json();
      const form = { csrfToken: String(Object(page).csrfToken), username: "x", password: "wrong" };
      const wrong = await tab.navigate(`${BASE}/callback/credentials`, { form });
      return [wrong.redirectsTo, await (await tab.fetch(`${BASE}/session`)).json()];
    };
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => signInAndRead(n % 2 === 0 ? a : b)));
    const query = "?error=CredentialsSignin&code=credentials";
    for (const [n, answer] of answers.entries()) {
      expect(answer).toEqual([n % 2 === 0 ? `${ORIGIN}/login${query}` : `${ORIGIN}${BASE}/signin${query}`, null]);
    }
    await Promise.all([a.signIn(), b.signIn()]);
    expect([await a.session(), await b.session()]).toEqual([
      expect.objectContaining({ of: "a" }),
      expect.not.objectContaining({ of: "a" }),
    ]);
    const cookie = `${COOKIE.session}=${a.browser.cookies.get("__Host-a")?.value}`;
    expect(await (await b.send(`${BASE}/session`, { headers: { cookie } })).json()).toBe(null);
  });

  it("R58 works with a configuration that is frozen to the bottom, in every flow", async () => {
    const c = setUp();
    expect([c.config, c.config.providers, c.config.providers[0], c.config.events].every(Object.isFrozen)).toBe(true);
    await c.signIn();
    await expectSignedIn(c, await attempt(c));
    expect((await c.post(`${BASE}/session`, { data: "x" })).status).toBe(200);
    await c.post(`${BASE}/signout`);
  });

  it("R59 leaves no rejection unhandled, however late something fails", async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", listen);
    let awaited = 0;
    const late = () => {
      awaited += 1;
      return new Promise<never>((_, reject) => {
        setTimeout(() => {
          awaited -= 1;
          reject(new Error("late"));
        }, 5);
      });
    };
    const c = setUp({ config: { events: { signIn: late, signOut: late } }, provider: { profile: late } });
    for (const network of ["reset", "reset-midway", "dns"] as const) {
      for (const endpoint of ["token", "jwks"] as const) {
        c.op.script = { [endpoint]: { network } };
        await attempt(c);
      }
    }
    c.op.script = {};
    await attempt(c);
    await c.signIn();
    await c.post(`${BASE}/signout`);
    await vi.waitUntil(() => awaited === 0, { timeout: 60_000 });
    // Node reports a rejection at the end of its turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", listen);
    expect(unhandled).toEqual([]);
  });

  it("R64 lets a person begin again when any one cookie is lost at any step", async () => {
    const lost = ["csrf", "callbackUrl", "state", "session"] as const;
    for (const which of lost) {
      for (const step of ["page", "start", "signed in"] as const) {
        const c = setUp();
        const drop = () => {
          for (const { name } of c.browser.cookies.list())
            if (name.startsWith(COOKIE[which])) c.browser.cookies.delete(name);
        };
        const page = await c.browser.navigate(`${BASE}/signin?callbackUrl=/dash`);
        if (step === "page") drop();
        const begun = await c.browser.submit(page, { action: `${BASE}/signin/op` });
        if (step === "start") drop();
        const sent = new URL(begun.redirectsTo ?? "");
        const back = sent.origin === c.op.issuer ? await comeBack(c, sent) : begun;
        if (step === "signed in") drop();
        expect([200, 302]).toContain(back.status);
        expect((await c.browser.navigate(`${BASE}/session`)).status).toBe(200);
        await expectSignedIn(c, await attempt(c));
      }
    }
  });

  it("R66 stays below 8 kB of headers in every answer of a sign-in, five pending ones included", async () => {
    const c = setUp();
    for (let n = 0; n < 7; n++) await begin(c, `/a/long/path/${"x".repeat(200)}?n=${n}`);
    await expectSignedIn(c, await comeBack(c, new URL((await start(c)).redirectsTo ?? "")));
    await c.post(`${BASE}/signout`);
    const bytes = c.visits.map(({ headers }) =>
      [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0),
    );
    expect(Math.max(...bytes)).toBeLessThan(8 * 1024);
    const sent = c.visits.map(({ requestHeaders }) => (requestHeaders.get("cookie") ?? "").length);
    expect(Math.max(...sent)).toBeLessThan(16 * 1024);
  });
});
