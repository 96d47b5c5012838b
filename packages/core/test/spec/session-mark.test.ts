import { type ActionSpec, defineExtension } from "@cardea/extend";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, type Case, COOKIE, installClock, setUp } from "../harness/harness.ts";

const action: ActionSpec = {
  csrf: "required",
  segment: "none",
  answers: "json",
  head: "skip",
  run: async (request) => {
    if (request.body.get("do") === "end") request.clearSession();
    else await request.renewSession({ f: [["otp", 1]] });
    return { kind: "json", status: 200, body: null };
  },
};
const changing = defineExtension({ id: "changing", actions: { "POST prove": action } });

/** The mark that the browser has now. */
const markOf = (c: Case) => c.browser.cookies.get(COOKIE.mark)?.value;

describe.each(["jwt", "database"] as const)("the mark of a session, with the strategy %s", (strategy) => {
  const start = () =>
    strategy === "jwt"
      ? setUp({ config: { session: { updateAge: 0 } } })
      : setUpDatabase({
          config: { session: { updateAge: 0 } },
          memory: createMemoryAdapter({ returnExpired: true }),
        });

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

  it("changes and goes with what an extension does to the session", async () => {
    const options = { config: { extensions: [changing] } };
    const c = strategy === "jwt" ? setUp(options) : setUpDatabase(options);
    await c.signInWithOp();
    const first = markOf(c);
    await c.post(`${BASE}/prove`, { do: "renew" });
    expect(markOf(c)).toMatch(/^[\w-]{12}$/);
    expect(markOf(c)).not.toBe(first);
    await c.post(`${BASE}/prove`, { do: "end" });
    expect([await c.session(), markOf(c)]).toEqual([null, undefined]);
  });

  it("goes when a read clears a session that is over, and stays with a cookie that is left", async () => {
    const clock = installClock();
    const c = start();
    await c.signInWithOp();
    const value = c.browser.cookies.get(COOKIE.session)?.value ?? "";
    const headers = (session: string) => ({ cookie: `${COOKIE.session}=${session}; ${COOKIE.mark}=x` });
    const clears = async (session: string) => {
      const { headers: answered } = await c.send(`${BASE}/session`, { headers: headers(session) });
      return answered.getSetCookie().some((line) => line.startsWith(`${COOKIE.mark}=;`));
    };
    expect(await clears(value)).toBe(false);
    expect(await clears("of-another-application")).toBe(false);
    clock.advance({ days: 31 });
    expect(await clears(value)).toBe(true);
  });

  it("is the only cookie that scripts can read", async () => {
    const c = start();
    await c.signInWithOp();
    const lines = c.visits.flatMap(({ headers }) => headers.getSetCookie());
    const readable = lines.filter((line) => !/; HttpOnly/i.test(line)).map((line) => line.split("=")[0]);
    expect(new Set(readable)).toEqual(new Set([COOKIE.mark]));
  });
});
