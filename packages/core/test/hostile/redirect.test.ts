import { describe, expect, it } from "vitest";
import { BASE, COOKIE, cookieHeader, ORIGIN, PASSWORD, setUp } from "../harness/harness.ts";

const EVIL = "https://evil.example";

/** FB: the flow succeeds and the browser goes to the application's own address. */
const OWN = [ORIGIN, `${ORIGIN}/`];

async function signInTo(callbackUrl: string) {
  const c = setUp();
  const answer = await c.signIn({ callbackUrl });
  expect(c.eventNames()).toEqual(["signIn"]);
  return answer.headers.get("location");
}

/** The values that the forms of a page would send. */
async function callbackUrlsOf(page: Response): Promise<string[]> {
  const html = await page.clone().text();
  return [...html.matchAll(/name="callbackUrl" value="([^"]*)"/g)].map(([, value = ""]) => value);
}

describe("redirect", () => {
  it.each([
    ["H020", EVIL],
    ["H020", `${ORIGIN}.evil.example/`],
    ["H020", `${EVIL}/${ORIGIN}`],
    ["H021", "//evil.example"],
    ["H021", "///evil.example"],
    ["H021", "/\\evil.example"],
    ["H021", "\\\\evil.example"],
    ["H021", "/\t/evil.example"],
    ["H021", "/..//evil.example"],
    ["H021", "/.//evil.example"],
    ["H021", "/x/..//evil.example"],
    ["H021", "/%2e%2e//evil.example"],
    ["H021", " //evil.example"],
    ["H021", "https:/\\evil.example"],
    ["H021", "https:evil.example"],
    ["H021", "HTTPS://EVIL.example"],
    ["H023", `blob:${ORIGIN}/uuid`],
    ["H024", "javascript:alert(1)"],
    ["H024", "JaVaScRiPt:alert(1)"],
    ["H024", "java\nscript:alert(1)"],
    ["H024", "data:text/html,x"],
    ["H024", "vbscript:x"],
    ["H024", `view-source:${ORIGIN}`],
    ["H024", `filesystem:${ORIGIN}/t/x`],
    ["H025", `${ORIGIN}@evil.example`],
    ["H025", "https://user:pw@app.example.com/x"],
    ["H025", "https://:@app.example.com@evil.example/x"],
    ["H027", "http://app.example.com/"],
    ["H027", "https://app.example.com:8443/"],
    ["H029", `${ORIGIN}\\@evil.example`],
    ["H029", `${ORIGIN}/\\evil.example`],
    ["H031", "/a\r\nSet-Cookie: x=1"],
    ["H031", "%0d%0aSet-Cookie:x=1"],
    ["H031", "/a\u2028\r\u0000"],
    ["H032", "https://[::1"],
    ["H032", "%"],
    ["H032", "@evil"],
    ["H032", "   "],
  ])("%s signs in and stays at home for %j", async (_, callbackUrl) => {
    expect(OWN).toContain(await signInTo(callbackUrl));
  });

  it.each([
    ["H030", "/日本?q=ü", `${ORIGIN}/%E6%97%A5%E6%9C%AC?q=%C3%BC`],
    ["H030", `${ORIGIN}/日本#ü`, `${ORIGIN}/%E6%97%A5%E6%9C%AC#%C3%BC`],
    ["H031", "/a%0d%0aSet-Cookie:x=1", `${ORIGIN}/a%0d%0aSet-Cookie:x=1`],
    ["H031", "/a\u2028b", `${ORIGIN}/a%E2%80%A8b`],
    ["H021", "/x?next=//evil.example", `${ORIGIN}/x?next=//evil.example`],
  ])("%s goes to %j as the URL standard writes it", async (_, callbackUrl, expected) => {
    expect(await signInTo(callbackUrl)).toBe(expected);
  });

  it.each([
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n\\evil.example",
    "/..//evil.example",
    "/x/..//evil.example",
    " //evil.example",
    "https:/\\evil.example",
    "https:evil.example",
    "java\nscript:alert(1)",
    `${ORIGIN}@evil.example`,
    `${ORIGIN}\\@evil.example`,
    EVIL,
  ])("H021 a naive callbacks.redirect is given %j in canonical form, and stays at home", async (callbackUrl) => {
    for (const prefix of [ORIGIN, ""]) {
      const seen: string[] = [];
      const redirect = ({ url, baseUrl }: { url: string; baseUrl: string }) => {
        seen.push(url);
        return url.startsWith("/") ? `${prefix}${url}` : new URL(url).origin === baseUrl ? url : baseUrl;
      };
      const c = setUp({ config: { callbacks: { redirect } } });
      const { redirectsTo } = await c.signIn({ callbackUrl });
      expect(new URL(redirectsTo ?? "").origin).toBe(ORIGIN);
      for (const url of seen) expect(url).toMatch(/^(?:\/(?![\\/])|[a-z]+:)\S*$/);
      expect(seen).not.toEqual([]);
    }
  });

  it("H024 leads to a scheme of redirectSchemes, which forms may lead to, and to no other", async () => {
    const redirect = ({ url }: { url: string }) => url;
    for (const [redirectSchemes, expected] of [
      [["myapp"], "myapp://done?x=1"],
      [["other"], `${ORIGIN}/`],
      [[], `${ORIGIN}/`],
    ] as const) {
      const alsoTo = ["myapp:"];
      const c = setUp({ config: { callbacks: { redirect }, redirectSchemes }, alsoTo });
      expect((await c.signIn({ callbackUrl: "MyApp://done?x=1" })).redirectsTo).toBe(expected);
      const policy = (await c.send(`${BASE}/signin`)).headers.get("content-security-policy") ?? "";
      expect(/ myapp:[; ]/.test(policy)).toBe(redirectSchemes[0] === "myapp");
    }
  });

  it.each([EVIL, "//evil.example", "/\\evil.example", "javascript:alert(1)", `${ORIGIN}@evil.example`])(
    "H020 comes home from the provider for %j",
    async (callbackUrl) => {
      const c = setUp();
      const back = await c.signInWithOp(callbackUrl);
      expect(back.url).toBe(`${ORIGIN}/`);
      expect(c.eventNames()).toEqual(["signIn"]);
    },
  );

  it.each([EVIL, "//evil.example", "javascript:alert(1)"])(
    "H020 signs out to our own address for %j",
    async (callbackUrl) => {
      const c = setUp();
      await c.signIn();
      expect(OWN).toContain((await c.post(`${BASE}/signout`, { callbackUrl })).headers.get("location"));
    },
  );

  it.each(["javascript:alert(1)", "data:text/html,x", `view-source:${ORIGIN}`, EVIL, '"><script>alert(1)</script>'])(
    "H024 shows the sign-in and sign-out pages with a safe value for %j",
    async (callbackUrl) => {
      const c = setUp();
      for (const action of ["signin", "signin/op", "signout"]) {
        const page = await c.browser.navigate(`${BASE}/${action}?callbackUrl=${encodeURIComponent(callbackUrl)}`);
        expect(page.status).toBe(200);
        for (const value of await callbackUrlsOf(page)) expect(OWN).toContain(value);
        expect(await callbackUrlsOf(page)).not.toEqual([]);
      }
    },
  );

  it.each(["https://[::1", "%", "@evil", "   ", "%E0%A4%A", "x".repeat(100_000), "http://\u0000"])(
    "H032 answers as ever with a callbackUrl of %j",
    async (callbackUrl) => {
      const c = setUp();
      for (const action of ["signin", "session", "csrf", "providers", "signout"]) {
        for (const value of [encodeURIComponent(callbackUrl), callbackUrl.replaceAll(" ", "+")]) {
          expect((await c.send(`${BASE}/${action}?callbackUrl=${value}`)).status).toBe(200);
        }
      }
    },
  );

  it.each(["%%%", "%E0%A4%A", "javascript:x", EVIL, encodeURIComponent(EVIL), "%00"])(
    "H033 ignores %j in the callback-url cookie",
    async (value) => {
      const c = setUp();
      await c.signIn();
      const cookie = `${cookieHeader(c.browser)}; ${COOKIE.callbackUrl}=${value}`;
      const session = await c.send(`${BASE}/session`, { headers: { cookie } });
      expect([session.status, await session.json()]).toMatchObject([200, { user: { name: "ann" } }]);
      const body = new URLSearchParams({ csrfToken: await c.csrfToken() });
      const out = await c.send(`${BASE}/signout`, { method: "POST", headers: { cookie }, body });
      expect(OWN).toContain(out.headers.get("location"));
    },
  );

  it.each([
    [1_900, true],
    [2_100, false],
    [100_000, false],
  ])("H032 a callbackUrl of %i characters survives the provider: %s", async (length, survives) => {
    const c = setUp();
    const path = `/${"y".repeat(length)}`;
    expect((await c.signInWithOp(path)).url).toBe(survives ? `${ORIGIN}${path}` : `${ORIGIN}/`);
    expect((await c.signInWithOp(`/?q=${"%/".repeat(length / 2)}`)).status).toBe(404);
    expect(c.browser.cookies.refused).toEqual([]);
    expect(c.eventNames()).toEqual(["signIn", "signIn"]);
  });

  it("H032 callbacks.redirect is not asked about a location that could not be kept", async () => {
    const asked: string[] = [];
    const redirect = ({ url }: { url: string }) => {
      asked.push(url);
      return url;
    };
    const c = setUp({ config: { callbacks: { redirect } } });
    await c.signIn({ callbackUrl: `/${"y".repeat(2_048)}` });
    await c.signIn({ callbackUrl: "/short" });
    expect(asked).toEqual(["/short"]);
  });

  it("H033 a callback-url cookie does not outlive the sign-in that used it", async () => {
    const c = setUp();
    await c.signInWithOp("/dash");
    expect(c.browser.cookies.get(COOKIE.callbackUrl)).toBe(undefined);
  });

  it("H035 takes the first of two callbackUrls, and checks it", async () => {
    const c = setUp();
    const first = await c.browser.navigate(`${BASE}/signin?callbackUrl=/ok&callbackUrl=${EVIL}`);
    expect(new Set(await callbackUrlsOf(first))).toEqual(new Set([`${ORIGIN}/ok`]));
    const second = await c.browser.navigate(`${BASE}/signin?callbackUrl=${EVIL}&callbackUrl=/ok`);
    expect(OWN).toEqual(expect.arrayContaining(await callbackUrlsOf(second)));
    const form = `csrfToken=${await c.csrfToken()}&username=ann&password=${PASSWORD}&callbackUrl=/ok&callbackUrl=${EVIL}`;
    const answer = await c.browser.navigate(`${BASE}/callback/credentials`, { form: new URLSearchParams(form) });
    expect(answer.headers.get("location")).toBe(`${ORIGIN}/ok`);
  });

  it.each([EVIL, "//evil.example", "/\\evil.example", "javascript:alert(1)"])(
    "H037 does not follow callbacks.signIn to %j, and signs no one in",
    async (elsewhere) => {
      const c = setUp({ config: { callbacks: { signIn: () => elsewhere } } });
      expect(OWN).toContain((await c.signIn({ callbackUrl: "/dash" })).headers.get("location"));
      expect((await c.signInWithOp("/dash")).url).toBe(`${ORIGIN}/`);
      expect([c.eventNames(), await c.session()]).toEqual([[], null]);
    },
  );

  it("H037 follows callbacks.signIn to a path of our own, and signs no one in", async () => {
    const c = setUp({ config: { callbacks: { signIn: () => "/blocked" } } });
    expect((await c.signIn()).headers.get("location")).toBe(`${ORIGIN}/blocked`);
    expect((await c.signInWithOp()).url).toBe(`${ORIGIN}/blocked`);
    expect([c.eventNames(), await c.session()]).toEqual([[], null]);
  });

  it.each([
    ["?error=a%26b%3Dc", "Configuration"],
    ["?error=%23f", "Configuration"],
    ["?error=__proto__", "Configuration"],
    ["?error=", "Configuration"],
    ["", "Configuration"],
    ["?error=AccessDenied&error=x&foo=bar", "AccessDenied"],
  ])("H040 gives the application's own error page a documented value for %j", async (query, error) => {
    const c = setUp({ config: { pages: { error: "/err" } } });
    const answer = await c.browser.navigate(`${BASE}/error${query}`);
    expect(answer.headers.get("location")).toBe(`${ORIGIN}/err?error=${error}`);
  });

  it("U3 hands only a checked callbackUrl on to the application's own pages", async () => {
    const c = setUp({ config: { pages: { signIn: "/login", signOut: "/bye" } } });
    const refused = await c.signIn({ password: "wrong", callbackUrl: EVIL });
    expect(new URL(refused.headers.get("location") ?? "").pathname).toBe("/login");
    expect(refused.headers.get("location")).not.toContain("evil.example");
    const kept = await c.signIn({ password: "wrong", callbackUrl: "/dash?a=1&b=2" });
    expect(new URL(kept.headers.get("location") ?? "").searchParams.get("callbackUrl")).toBe(`${ORIGIN}/dash?a=1&b=2`);
    for (const action of ["signin", "signout"]) {
      const answer = await c.browser.navigate(`${BASE}/${action}?callbackUrl=${EVIL}&email=x&error=Signin`);
      expect(answer.headers.get("location")).not.toMatch(/evil|email/);
    }
  });

  it("H045 every redirect is a 302, so that no password is posted on", async () => {
    const c = setUp();
    const answers = [await c.signIn(), await c.signIn({ password: "wrong" }), await c.post(`${BASE}/signin/op`)];
    answers.push(await c.post(`${BASE}/signin`), await c.post(`${BASE}/signout`), await c.post(`${BASE}/signin/x`));
    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302, 302, 302, 302]);
    const back = await c.signInWithOp();
    const ours = back.hops.filter(({ url }) => url.startsWith(`${ORIGIN}${BASE}/`));
    expect(ours.map(({ status }) => status)).toEqual([302, 302]);
  });
});
