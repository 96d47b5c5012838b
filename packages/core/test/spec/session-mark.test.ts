import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, type Case, COOKIE, setUp } from "../harness/harness.ts";

/** The mark that the browser has now. */
const markOf = (c: Case) => c.browser.cookies.get(COOKIE.mark)?.value;

describe.each(["jwt", "database"] as const)("the mark of a session, with the strategy %s", (strategy) => {
  const start = () =>
    strategy === "jwt"
      ? setUp({ config: { session: { updateAge: 0 } } })
      : setUpDatabase({ config: { session: { updateAge: 0 } } });

  it("changes at sign-in and update, stays while the session is read and renewed, and goes at sign-out", async () => {
    const c = start();
    await c.session();
    expect(markOf(c)).toBeUndefined();
    await c.signInWithOp();
    const first = markOf(c);
    expect(first).toMatch(/^[\w-]{12}$/);
    expect(await c.session()).not.toBeNull();
    expect(markOf(c)).toBe(first);
    const body = JSON.stringify({ csrfToken: await c.csrfToken(), data: { name: "Bea" } });
    await c.browser.fetch(`${BASE}/session`, { method: "POST", headers: { "content-type": "application/json" }, body });
    const second = markOf(c);
    expect(second).toMatch(/^[\w-]{12}$/);
    expect(second).not.toBe(first);
    await c.signInWithOp();
    expect([undefined, first, second]).not.toContain(markOf(c));
    await c.post(`${BASE}/signout`);
    expect(markOf(c)).toBeUndefined();
  });

  it("is the only cookie that scripts can read", async () => {
    const c = start();
    await c.signInWithOp();
    const lines = c.visits.flatMap(({ headers }) => headers.getSetCookie());
    const readable = lines.filter((line) => !/; HttpOnly/i.test(line)).map((line) => line.split("=")[0]);
    expect(new Set(readable)).toEqual(new Set([COOKIE.mark]));
  });
});
