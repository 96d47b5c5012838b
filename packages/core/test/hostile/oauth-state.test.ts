import type { Browser, StoredCookie } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { installClock, ORIGIN, recordOf, setUp } from "../harness/harness.ts";
import {
  anotherBrowser,
  attempt,
  begin,
  calls,
  comeBack,
  expectAgain,
  expectLanding,
  expectNoSignIn,
  expectSignedIn,
  OAUTH2,
  pendingCookies,
} from "../harness/oauth-journeys.ts";

/** Plants another browser's cookies of pending sign-ins, as an attacker on a sibling domain does. */
function toss(from: Browser, to: Browser): void {
  const isPending = ({ name }: StoredCookie) => /cardea\.state/.test(name);
  to.cookies.restore([...to.cookies.snapshot(), ...from.cookies.snapshot().filter(isPending)]);
}

describe("pkce/state/nonce: the answer belongs to the browser and to the sign-in", () => {
  it.each([
    ["missing", { remove: ["state"] }],
    ["empty", { replace: { state: "" } }],
    ["wrong", { replace: { state: "wrong" } }],
    ["wrong at its end", { replace: { state: "A".repeat(43) } }],
    ["of 100 kB", { replace: { state: "s".repeat(100_000) } }],
    ["with NUL", { replace: { state: "\u0000" } }],
  ])("H156 refuses a state that is %s, and asks for no token", async (_, params) => {
    for (const options of [{}, OAUTH2]) {
      const c = setUp(options);
      expectLanding(await attempt(c, { params }), "OAuthCallbackError");
      expect([calls(c).token, await c.session()]).toEqual([0, null]);
    }
  });

  it("H156 refuses the state of a sign-in that another browser began", async () => {
    const c = setUp();
    const foreign = await begin(c, "/dash", anotherBrowser(c));
    const state = foreign.searchParams.get("state") ?? "";
    const visit = await attempt(c, { params: { replace: { state } } });
    expectLanding(visit, "OAuthCallbackError");
    expect([calls(c).token, await c.session()]).toEqual([0, null]);
  });

  it("H156 refuses one sign-in's code with another's state: the verifier does not fit, nor does the nonce", async () => {
    for (const skip of [[], ["pkce"] as const]) {
      const c = setUp();
      c.op.script = { token: { skip } };
      const first = await c.op.authorize(await begin(c, "/first"));
      const second = await begin(c, "/second");
      first.url.searchParams.set("state", second.searchParams.get("state") ?? "");
      const visit = await c.browser.navigate(first.url);
      if (skip.length === 0) expectAgain(c, visit, second);
      else expectLanding(visit, "OAuthCallbackError");
      expect([calls(c).token, await c.session()]).toEqual([1, null]);
    }
  });

  it("H157 refuses a valid code and state in a browser that did not ask for them", async () => {
    const c = setUp();
    const { url } = await c.op.authorize(await begin(c));
    const victim = anotherBrowser(c);
    expectLanding(await victim.navigate(url), "OAuthCallbackError");
    expect(calls(c).token).toBe(0);
    await expectSignedIn(c, await c.browser.navigate(url));
  });

  it("H157 refuses when the sign-in's cookie is gone, or was cut", async () => {
    for (const change of ["delete", "cut"]) {
      const c = setUp();
      const { url } = await c.op.authorize(await begin(c));
      const [name = ""] = pendingCookies(c);
      const value = c.browser.cookies.get(name)?.value ?? "";
      expect(c.browser.cookies.delete(name)).toBe(1);
      if (change === "cut") c.browser.cookies.set(`${name}=${value.slice(0, -4)}; Path=/; Secure; HttpOnly`);
      await expectNoSignIn(c, await c.browser.navigate(url));
      expect(calls(c).token).toBe(0);
    }
  });

  it("H160 refuses the answer to a request whose state, nonce and challenge a user cut out, here and elsewhere", async () => {
    for (const browser of ["same", "fresh"]) {
      const c = setUp();
      const sent = await begin(c);
      for (const name of ["state", "nonce", "code_challenge", "code_challenge_method"]) sent.searchParams.delete(name);
      const { url } = await c.op.authorize(sent);
      expect([...url.searchParams.keys()]).toEqual(["code"]);
      const visit = await (browser === "same" ? c.browser : anotherBrowser(c)).navigate(url);
      expectLanding(visit, "OAuthCallbackError");
      expect([calls(c).token, await c.session()]).toEqual([0, null]);
    }
  });

  it("H160 refuses a code that came without the challenge which this sign-in has", async () => {
    const c = setUp();
    const sent = await begin(c);
    for (const name of ["code_challenge", "code_challenge_method"]) sent.searchParams.delete(name);
    const again = expectAgain(c, await comeBack(c, sent), sent);
    for (const name of ["code_challenge", "code_challenge_method"]) again.searchParams.delete(name);
    await expectNoSignIn(c, await comeBack(c, again));
  });

  it.each([[[]], [["none"]], [["pkce"]], [["state"]], [["nonce"]]] as const)(
    "H161 keeps state, and nonce or PKCE, with checks %o",
    async (checks) => {
      for (const options of [{}, OAUTH2]) {
        const c = setUp({ ...options, provider: { ...options.provider, checks } });
        const { url } = await c.op.authorize(await begin(c));
        expectLanding(await anotherBrowser(c).navigate(url), "OAuthCallbackError");
        expect(calls(c).token).toBe(0);
        await expectSignedIn(c, await c.browser.navigate(url));
      }
    },
  );

  it("H161 warns once at the start about checks that are none", async () => {
    const c = setUp({ provider: { checks: ["none"] } });
    await expectSignedIn(c, await attempt(c));
    const warnings = c.logs.filter(({ level }) => level === "warn").map(({ text }) => text);
    expect(warnings).toEqual([expect.stringMatching(/^checks-none: provider "op"/)]);
  });

  it.each([
    ["in order", ["/first", "/second"]],
    ["the other way round", ["/second", "/first"]],
  ])("H162 signs two tabs in, each to its own page, %s", async (_, order) => {
    const c = setUp();
    const tabs = new Map<string, { tab: Browser; url: URL }>();
    for (const path of ["/first", "/second"]) {
      const tab = c.browser.tab();
      tabs.set(path, { tab, url: await begin(c, path, tab) });
    }
    for (const path of order) {
      const { tab, url } = tabs.get(path) ?? { tab: c.browser, url: new URL(ORIGIN) };
      await expectSignedIn(c, await comeBack(c, url, {}, tab), path);
    }
    expect(pendingCookies(c)).toEqual([]);
  });

  it.each([1, 0])("H162 keeps five pending sign-ins, and lets the oldest go: %s seconds apart", async (seconds) => {
    const clock = installClock();
    const c = setUp();
    const urls: URL[] = [];
    for (let n = 0; n < 8; n++) {
      urls.push(await begin(c, `/${n}`));
      clock.advance({ seconds });
    }
    expect(pendingCookies(c)).toHaveLength(5);
    for (const [n, url] of urls.entries()) {
      const visit = await comeBack(c, url);
      if (n < 3) expectLanding(visit, "OAuthCallbackError");
      else await expectSignedIn(c, visit, `/${n}`);
    }
  });

  it("H164 clears the cookies of a sign-in that failed, in the same answer", async () => {
    const c = setUp();
    const url = await begin(c);
    const names = pendingCookies(c);
    const visit = await comeBack(c, url, { params: { add: { iss: "https://evil.example" } } });
    const cleared = visit.headers.getSetCookie().filter((line) => /^[^=]+=; Max-Age=0; /.test(line));
    expect(cleared.map((line) => line.split("=")[0]).sort()).toEqual([...names].sort());
    await expectNoSignIn(c, visit);
  });

  it("H165 shows the verifier to the provider alone, and state and nonce in the authorization URL alone", async () => {
    const c = setUp();
    const url = await begin(c);
    const sent = JSON.stringify(c.visits.map(({ body, headers }) => [body, [...headers]]));
    await expectSignedIn(c, await comeBack(c, url));
    const verifier = c.op.calls.token[0]?.params.get("code_verifier") ?? "";
    expect(verifier).toMatch(/^[\w-]{43}$/);
    expect(sent).not.toContain(verifier);
    expect(JSON.stringify(c.logs)).not.toContain(verifier);
    for (const name of ["state", "nonce"]) {
      expect(sent.split(url.searchParams.get(name) ?? "-")).toHaveLength(2);
    }
  });

  it("H167 has another state for each person, in the same millisecond and in every process", async () => {
    installClock();
    const states = new Set<string | null>();
    for (const c of [setUp(), setUp()]) {
      for (const browser of [c.browser, anotherBrowser(c)]) {
        states.add((await begin(c, "/dash", browser)).searchParams.get("state"));
      }
    }
    expect(states.size).toBe(4);
  });

  it("H168 never ties an attacker's account to the person who is signed in: cookies tossed into their browser", async () => {
    const c = setUp();
    await c.signIn({ username: "victim" });
    const attacker = anotherBrowser(c);
    const { url } = await c.op.authorize(await begin(c, "/dash", attacker), {
      user: { sub: "attacker", name: "Mallory" },
    });
    toss(attacker, c.browser);
    const visit = await c.browser.navigate(url, { initiator: "https://evil.example" });
    const signedIn = recordOf(visit).events.map(({ name, message }) => [name, message]);
    expect(signedIn).toEqual([
      ["signIn", expect.objectContaining({ user: expect.objectContaining({ id: "op|attacker" }) })],
    ]);
    expect(await c.session()).toMatchObject({ user: { name: "Mallory" } });
    expect(c.eventNames()).not.toContain("linkAccount");
  });

  it("H168 does not let cookies of two sign-ins stand in for one another", async () => {
    const c = setUp();
    const first = await begin(c, "/first");
    const former = c.browser.cookies.get(pendingCookies(c)[0] ?? "")?.value ?? "";
    c.browser.cookies.clear();
    const second = await begin(c, "/second");
    const [state = ""] = pendingCookies(c);
    c.browser.cookies.set(`${state}=${former}; Path=/; Secure; HttpOnly`);
    expectLanding(await comeBack(c, second), "OAuthCallbackError");
    expectLanding(await comeBack(c, first), "OAuthCallbackError");
    expect([calls(c).token, await c.session()]).toEqual([0, null]);
  });
});
