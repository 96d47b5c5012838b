import { describe, expect, it } from "vitest";
import { claims, now, sealExactly } from "../harness/forge.ts";
import { BASE, COOKIE, cookieHeader, installClock, setUp } from "../harness/harness.ts";

describe("clock skew", () => {
  it.each([
    [-1, true],
    [0, true],
    [10, true],
    [14, true],
    [15, false],
    [16, false],
    [61, false],
  ])("H334 a session that ended %i s ago counts: %s", async (seconds, counts) => {
    const clock = installClock();
    const c = setUp({ config: { session: { maxAge: 3600, updateAge: 7200 } } });
    await c.signIn();
    const cookie = cookieHeader(c.browser);
    clock.advance({ seconds: 3600 + seconds });
    const answer = await c.send(`${BASE}/session`, { headers: { cookie } });
    const session: unknown = await answer.json();
    expect(session).toEqual(counts ? expect.objectContaining({ user: expect.anything() }) : null);
    // The session and its mark.
    expect(answer.headers.getSetCookie()).toHaveLength(counts ? 0 : 2);
  });

  it.each([
    [15, true],
    [59, true],
    [120, false],
    [3600, false],
  ])("H334 a session issued %i s in the future, by another server's clock, counts: %s", async (seconds, counts) => {
    const c = setUp();
    const token = await sealExactly(claims({ iat: now() + seconds, exp: now() + 7200 }));
    const answer = await c.send(`${BASE}/session`, { headers: { cookie: `${COOKIE.session}=${token}` } });
    expect(await answer.json()).toEqual(counts ? expect.objectContaining({ user: expect.anything() }) : null);
    // It has not ended: the cookie is kept.
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it("H334 a clock that is set back by a minute ends no session and renews none", async () => {
    const clock = installClock();
    const c = setUp();
    await c.signIn();
    clock.advance({ seconds: -60 });
    const answer = await c.browser.fetch(`${BASE}/session`);
    expect(await answer.json()).toMatchObject({ user: { name: "ann" } });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});
