/** Cookies that another site or an earlier application set under our names: they hide no session and cost little. */
import platform from "node:crypto";
import type { JWTCallbackParams } from "@cardea/core/types";
import { describe, expect, it, vi } from "vitest";
import { BASE, type Case, COOKIE, cookieHeader, ORIGIN, setUp } from "../harness/harness.ts";
import { begin, pendingCookies } from "../harness/oauth-journeys.ts";

const SC = COOKIE.session;

/** A session of several cookies. */
const LARGE = { jwt: ({ token }: JWTCallbackParams) => ({ ...token, more: "x".repeat(9_000) }) };

function sessionCookies(c: Case): string[] {
  const cookies = c.browser.cookies.list().filter(({ name }) => name.startsWith(SC));
  return cookies.map(({ name, value }) => `${name}=${value}`).sort();
}

async function read(c: Case, cookie: string) {
  const answer = await c.send(`${BASE}/session`, { headers: { cookie } });
  const cleared = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { status: answer.status, session: await answer.json(), cleared };
}

describe("cookies of a neighbour", () => {
  it("H056 cookies that were not written by the library hide no whole session, and no chunks of other names", async () => {
    const c = setUp({ config: { callbacks: LARGE } });
    await c.signIn();
    const own = sessionCookies(c);
    for (const strays of [
      [`${SC}=x`],
      [`${SC}=`],
      [`${SC}.7=x`],
      [`${SC}.5=x`, `${SC}=z`],
      Array.from({ length: 40 }, (_, n) => `${SC}.${n + 5}=${n}`),
      Array.from({ length: 40 }, (_, n) => `${SC}=${n}`),
    ]) {
      for (const cookies of [
        [...strays, ...own],
        [...own, ...strays],
      ]) {
        const { session, cleared } = await read(c, cookies.join("; "));
        expect([session, cleared]).toMatchObject([{ user: { name: "ann" } }, []]);
      }
    }
  });

  it("H056 never clears a session, whatever hides it", async () => {
    const c = setUp({ config: { callbacks: LARGE } });
    await c.signIn();
    const own = sessionCookies(c);
    const other = setUp({
      config: { callbacks: LARGE, secret: "another secret of more than thirty-two bytes" },
    });
    await other.signIn();
    const foreign = sessionCookies(other);
    for (const strays of [[`${SC}.0=x`], [`${SC}.4=x`], foreign.slice(0, 2), foreign, own.slice(0, 2)]) {
      for (const cookies of [
        [...strays, ...own],
        [...own, ...strays],
      ])
        expect(await read(c, cookies.join("; "))).toMatchObject({ status: 200, cleared: [] });
    }
  });

  it("white space beside a name does not make it the name with the prefix", async () => {
    const c = setUp();
    await c.signIn();
    const own = sessionCookies(c);
    const csrf = c.browser.cookies.list().filter(({ name }) => name === COOKIE.csrf);
    expect([own.length, csrf.length]).toEqual([1, 1]);
    for (const space of ["\u00a0", "\u00c2\u00a0", "\u000b", "\u000c"]) {
      const planted = own.map((cookie) => `x=y; ${space}${cookie}`).join("");
      expect(await read(c, planted)).toEqual({ status: 200, session: null, cleared: [] });
      expect(await read(c, own.map((cookie) => cookie.replace("=", `${space}=`)).join(""))).toMatchObject({
        session: null,
      });
      const answer = await c.send(`${BASE}/csrf`, {
        headers: { cookie: csrf.map(({ value }) => `x=y; ${space}${COOKIE.csrf}=${value}`).join("") },
      });
      expect(answer.headers.getSetCookie()).toHaveLength(1);
    }
  });

  it("H056 a whole session is not hidden by chunks", async () => {
    const c = setUp();
    await c.signIn();
    for (const strays of [`${SC}.0=x`, `${SC}.0=x; ${SC}.1=y`, `${SC}.1=x`, `${SC}.16=x`]) {
      const { session, cleared } = await read(c, `${strays}; ${cookieHeader(c.browser)}`);
      expect([session, cleared]).toMatchObject([{ user: { name: "ann" } }, []]);
    }
  });

  it("H056 of forgeries in our form at most nine are decrypted, chunks included", async () => {
    const c = setUp();
    await c.signIn();
    const [own = ""] = sessionCookies(c);
    const forged = (n: number) => own.slice(SC.length).replace(/\.[\w-]{16}\./, `.${String(n).padStart(16, "A")}.`);
    const pairs = Array.from({ length: 24 }, (_, n) => `${SC}${forged(n)}; ${SC}.0${forged(n + 50).slice(0, -5)}`);
    const createDecipheriv = vi.spyOn(platform, "createDecipheriv");
    expect(await read(c, `${pairs.join("; ")}; ${SC}.1=AAAAA`)).toMatchObject({ session: null });
    expect(createDecipheriv).toHaveBeenCalledTimes(9);
    createDecipheriv.mockRestore();
  });

  it("H056 of forgeries in other forms only a few are opened, and they are opened once for a request", async () => {
    const c = setUp();
    const header = Buffer.from(JSON.stringify({ alg: "dir", enc: "A256CBC-HS512" })).toString("base64url");
    const forged = Array.from(
      { length: 20 },
      (_, n) => `${SC}=${header}..${"A".repeat(22)}.${"B".repeat(64)}.${String(n).padStart(43, "C")}`,
    );
    const createHmac = vi.spyOn(platform, "createHmac");
    await c.send(`${BASE}/signin`, { headers: { cookie: forged.join("; ") } });
    expect(createHmac.mock.calls.length).toBeLessThanOrEqual(8);
    createHmac.mockRestore();
  });

  it("hide no pending sign-in by the end of their name", async () => {
    const c = setUp();
    const url = await begin(c);
    const [own = ""] = pendingCookies(c);
    const end = own.slice(-8);
    const strays = ["0", "t0", "zzzzzz"].map((time) => `${COOKIE.state}.${time}${end}=x`).join("; ");
    const back = (await c.op.authorize(url.href)).url;
    const answer = await c.send(`${back.pathname}${back.search}`, {
      headers: { cookie: `${strays}; ${cookieHeader(c.browser)}` },
    });
    expect(answer.headers.get("location")).toBe(`${ORIGIN}/dash`);
  });
});
