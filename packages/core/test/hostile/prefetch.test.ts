import { describe, expect, it } from "vitest";
import { BASE, cookieHeader, ORIGIN, setUp } from "../harness/harness.ts";

const LOOKS_AHEAD: readonly Record<string, string>[] = [
  { "sec-purpose": "prefetch" },
  { "sec-purpose": "prefetch;prerender" },
  { purpose: "prefetch" },
  { "x-moz": "prefetch" },
  { "x-purpose": "preview", purpose: "Prefetch" },
];

describe("prefetch", () => {
  it.each([...LOOKS_AHEAD, { "sec-fetch-dest": "empty" }])(
    "H377 a look ahead at our pages changes nothing: %o",
    async (headers) => {
      const c = setUp();
      await c.signIn();
      const before = await c.session();
      for (const path of ["signin", "signin/op", "signout", "signout?callbackUrl=/x", "error", "session"]) {
        const answer = await c.browser.navigate(`${BASE}/${path}`, { headers });
        expect([answer.status, answer.headers.get("cache-control")]).toEqual([
          200,
          expect.stringContaining("no-store"),
        ]);
      }
      expect(await c.session()).toEqual(before);
      expect(c.eventNames()).not.toContain("signOut");
      expect(c.op.calls.discovery).toEqual([]);
    },
  );

  it.each(LOOKS_AHEAD)("H377 a look ahead at the way back from the provider uses nothing up: %o", async (headers) => {
    const c = setUp();
    const start = await c.post(`${BASE}/signin/op`, { callbackUrl: "/dash" });
    const { url } = await c.op.authorize(start.redirectsTo ?? "");
    const before = cookieHeader(c.browser);
    const ahead = await c.browser.navigate(url, { headers });
    expect([ahead.status, ahead.headers.get("location"), ahead.headers.getSetCookie()]).toEqual([425, null, []]);
    expect([cookieHeader(c.browser), c.op.calls.token, c.eventNames()]).toEqual([before, [], []]);
    expect((await c.browser.navigate(url)).redirectsTo).toBe(`${ORIGIN}/dash`);
    expect(c.eventNames()).toEqual(["signIn"]);
  });
});
