/** A redirect proxy passes codes on to the applications that it was told of, and to no one else (spec 5.8). */

import { Auth } from "@cardea/core";
import type { AuthConfig } from "@cardea/core/types";
import { describe, expect, it } from "vitest";
import { BASE, type Case, COOKIE, expectRefused, installClock, recordOf, setUp } from "../harness/harness.ts";
import { begin, calls } from "../harness/oauth-journeys.ts";

const PROXY = "https://auth.example.com";
const PREVIEW = "https://pr-1.previews.example.com";
const ALLOWED = ["https://*.previews.example.com"];

/** The application whose callback URL is registered at the provider. */
function setUpProxy(config: Partial<AuthConfig> = {}, alsoTo: string[] = [PREVIEW]): Case {
  return setUp({ origin: PROXY, alsoTo, config: { redirectProxyOrigins: ALLOWED, ...config } });
}

/** An application that shares the proxy's secret, wherever it is. */
function setUpPreview(origin = PREVIEW, config: Partial<AuthConfig> = {}): Case {
  return setUp({ origin, alsoTo: [origin], config: { redirectProxyUrl: `${PROXY}${BASE}`, ...config } });
}

/** The provider's answer to a sign-in of the preview, as it arrives at the proxy. */
async function answerFor(preview: Case): Promise<URL> {
  return (await preview.op.authorize(await begin(preview))).url;
}

/** Refused by the proxy itself: nothing leaves it, and its own sign-in does not take the answer either. */
function expectKept(c: Case, answer: Response): void {
  expectRefused(answer);
  const { origin, pathname, searchParams } = new URL(answer.headers.get("location") ?? "");
  expect([origin, pathname, searchParams.get("error")]).toEqual([PROXY, `${BASE}/signin`, "OAuthCallbackError"]);
  expect(calls(c).token).toBe(0);
}

describe("open proxy", () => {
  it("H353 passes an answer on to an origin that it was told of, where the sign-in ends", async () => {
    const preview = setUpPreview();
    const sent = await begin(preview);
    expect(sent.searchParams.get("redirect_uri")).toBe(`${PROXY}${BASE}/callback/op`);
    const proxy = setUpProxy();
    const passed = await proxy.send((await preview.op.authorize(sent)).url.href);
    const location = new URL(passed.headers.get("location") ?? "");
    expect([passed.status, location.origin, location.pathname]).toEqual([302, PREVIEW, `${BASE}/callback/op`]);
    expect(recordOf(passed).headers.getSetCookie()).toEqual([]);
    const visit = await preview.browser.navigate(location);
    expect([visit.redirectsTo, calls(preview).token, calls(proxy).token]).toEqual([`${PREVIEW}/dash`, 1, 0]);
    expect(await preview.session()).toMatchObject({ user: { name: "Ada Lovelace" } });
  });

  it("H353 passes nothing on without the cookies of the browser that began", async () => {
    const preview = setUpPreview();
    const passed = await setUpProxy().send((await answerFor(preview)).href);
    preview.browser.cookies.clear();
    const visit = await preview.browser.navigate(passed.headers.get("location") ?? "");
    expect([visit.redirectsTo, calls(preview).token]).toEqual([
      `${PREVIEW}${BASE}/signin?error=OAuthCallbackError&code=cookies`,
      0,
    ]);
  });

  it("H352 sends no code where a Host header says: the proxy does not know the origin that was made up", async () => {
    const evil = "https://evil.example";
    // Anyone who sends the request chooses its Host: the deployment takes itself for evil.example and seals that.
    const deceived = setUpPreview(evil);
    const proxy = setUpProxy();
    const answer = await proxy.send((await answerFor(deceived)).href);
    expectKept(proxy, answer);
    const [error] = recordOf(answer).logs.filter(({ level }) => level === "error");
    expect(error?.text).toContain("redirectProxyOrigins");
  });

  it.each([
    "https://previews.example.com",
    "https://a.b.previews.example.com",
    "https://pr-1.previews.example.com.evil.example",
    "https://evilpreviews.example.com",
    "https://pr-1.previews.example.com:8443",
    "http://pr-1.previews.example.com",
    "https://pr-1.previews.example.org",
  ])("H353 passes nothing on to %s, which only looks like one that is allowed", async (origin) => {
    const preview = setUp({
      origin,
      alsoTo: [origin],
      config: { redirectProxyUrl: `${PROXY}${BASE}`, useSecureCookies: origin.startsWith("https:") },
    });
    const proxy = setUpProxy();
    expectKept(proxy, await proxy.send((await answerFor(preview)).href));
  });

  it.each(["http://localhost:6666", "http://127.0.0.1:6666", "http://[::1]:6666", "http://app.localhost:6666"])(
    "H353 passes a code on to %s only where it is named: any program may listen on a port of the user's machine",
    async (origin) => {
      const local = () => setUpPreview(origin, { useSecureCookies: false });
      const proxy = setUpProxy();
      expectKept(proxy, await proxy.send((await answerFor(local())).href));
      const named = setUpProxy({ redirectProxyOrigins: [origin] }, [origin]);
      const passed = await named.send((await answerFor(local())).href);
      expect(new URL(passed.headers.get("location") ?? "").origin).toBe(origin);
    },
  );

  it("H353 passes nothing on at all where no origin is named", async () => {
    const proxy = setUpProxy({ redirectProxyOrigins: undefined });
    expectKept(proxy, await proxy.send((await answerFor(setUpPreview())).href));
  });

  it("H354 passes nothing on for a state that is forged, of another purpose or of another secret", async () => {
    const url = await answerFor(setUpPreview());
    const foreign = await answerFor(
      setUpPreview(PREVIEW, { secret: "another canary secret of thirty-two bytes and more" }),
    );
    const proxy = setUpProxy();
    await begin(proxy);
    const own = proxy.browser.cookies.list().find(({ name }) => name.startsWith(COOKIE.state))?.value ?? "";
    const state = url.searchParams.get("state") ?? "";
    const states = [
      foreign.searchParams.get("state") ?? "",
      own,
      `${state}A`,
      state.slice(0, -1),
      "forged",
      "a.b.c.d.e",
    ];
    for (const forged of states) {
      url.searchParams.set("state", forged);
      expectKept(proxy, await proxy.send(url.href));
    }
  });

  it("H354 passes nothing on to a provider's path that is not the one where the sign-in began", async () => {
    const url = await answerFor(setUpPreview());
    const other = {
      id: "other",
      name: "O",
      type: "oidc",
      issuer: "https://o.example",
      clientId: "o",
      clientSecret: "s-e-c-r-e-t",
    } as const;
    const proxy = setUp({
      origin: PROXY,
      alsoTo: [PREVIEW],
      providers: [other],
      config: { redirectProxyOrigins: ALLOWED },
    });
    expectKept(proxy, await proxy.send(url.href.replace("/callback/op?", "/callback/other?")));
  });

  it.each([
    [899, true],
    [914, true],
    [915, false],
  ])("H354 after %i seconds passes an answer on: %o", async (seconds, isPassed) => {
    const clock = installClock();
    const url = await answerFor(setUpPreview());
    clock.advance({ seconds });
    const proxy = setUpProxy();
    const answer = await proxy.send(url.href);
    if (isPassed) expect(answer.headers.get("location")).toMatch(/^https:\/\/pr-1\.previews\.example\.com\//);
    else expectKept(proxy, answer);
  });

  it("H354 passes nothing on when the state comes twice", async () => {
    const url = await answerFor(setUpPreview());
    url.searchParams.append("state", url.searchParams.get("state") ?? "");
    const proxy = setUpProxy();
    expectKept(proxy, await proxy.send(url.href));
  });

  it("H356 passes on the parameters that it knows, encoded again, and no others", async () => {
    const url = await answerFor(setUpPreview());
    const known = { iss: "https://op.example.com", session_state: "a b&c", error_description: "x#y" };
    const unknown = {
      x: "1",
      redirect_uri: "https://evil.example",
      callbackUrl: "https://evil.example",
      __proto__x: "y",
    };
    for (const [name, value] of Object.entries({ ...known, ...unknown })) url.searchParams.append(name, value);
    url.hash = "#evil";
    const location = new URL((await setUpProxy().send(url.href)).headers.get("location") ?? "");
    expect([...location.searchParams.keys()].sort()).toEqual([...Object.keys(known), "code", "state"].sort());
    expect(Object.fromEntries(location.searchParams)).toMatchObject(known);
    expect(location.hash).toBe("");
  });

  it.each([
    ["a name", JSON.stringify({ name: { firstName: "Ada" } }), true],
    ["a text that no name has", `"${"x".repeat(1023)}"`, false],
  ])("H356 passes on the user of a form, bounded: %s", async (_, user, isPassed) => {
    const provider = { authorization: { params: { response_mode: "form_post" } } };
    const preview = setUp({
      ...{ origin: PREVIEW, alsoTo: [PREVIEW], provider },
      config: { redirectProxyUrl: `${PROXY}${BASE}` },
    });
    const { url, form = new URLSearchParams() } = await preview.op.authorize(await begin(preview));
    form.set("user", user);
    const proxy = setUp({
      ...{ origin: PROXY, alsoTo: [PREVIEW], provider },
      config: { redirectProxyOrigins: ALLOWED },
    });
    const passed = await proxy.send(url.href, { method: "POST", body: form });
    const location = new URL(passed.headers.get("location") ?? "");
    expect([location.origin, location.searchParams.get("user")]).toEqual([PREVIEW, isPassed ? user : null]);
  });

  it.each(["code", "iss", "error", "session_state"])(
    "H356 a repeated %s is refused by the application",
    async (name) => {
      const preview = setUpPreview();
      const url = await answerFor(preview);
      for (const value of ["1", "2"]) url.searchParams.append(name, value);
      const passed = await Auth(new Request(url), setUpProxy().config);
      const visit = await preview.browser.navigate(passed.headers.get("location") ?? "");
      expect([visit.redirectsTo, calls(preview).token]).toEqual([
        `${PREVIEW}${BASE}/signin?error=OAuthCallbackError`,
        0,
      ]);
    },
  );

  it("H356 passes an error on like a code, so that the person lands where they began", async () => {
    const preview = setUpPreview();
    const { url } = await preview.op.authorize(await begin(preview), { error: { error: "access_denied" } });
    // Not watched: to the invariants the provider's own `error` would be an undocumented value of ours.
    const passed = await Auth(new Request(url), setUpProxy().config);
    const visit = await preview.browser.navigate(passed.headers.get("location") ?? "");
    expect(visit.redirectsTo).toBe(`${PREVIEW}${BASE}/error?error=AccessDenied`);
  });

  it("H352 signs in at the proxy itself as if it were none", async () => {
    const proxy = setUpProxy({ redirectProxyUrl: `${PROXY}${BASE}` });
    const { url } = await proxy.op.authorize(await begin(proxy));
    const visit = await proxy.browser.navigate(url);
    expect([visit.redirectsTo, calls(proxy).token]).toEqual([`${PROXY}/dash`, 1]);
  });
});
