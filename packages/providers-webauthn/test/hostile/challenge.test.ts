import { Auth } from "@cardea/core";
import { describe, expect, it } from "vitest";
import {
  BASE,
  cookieHeader,
  expectRefused,
  installClock,
  ORIGIN,
  recordOf,
  SECRET,
} from "../../../core/test/harness/harness.ts";
import { type PasskeyCase, setUpPasskeys } from "../../../core/test/harness/passkey-app.ts";

const CHALLENGE = "__Host-cardea.challenge";
const EVIL = "https://evil.example";

const challengesOf = (app: PasskeyCase) => app.browser.cookies.list().filter(({ name }) => name.startsWith(CHALLENGE));

/** A user with a passkey, signed out. */
async function withPasskey(options: Parameters<typeof setUpPasskeys>[0] = {}): Promise<PasskeyCase> {
  const app = setUpPasskeys(options);
  await app.register();
  await app.signOut();
  return app;
}

/** Refused in the log by this check, and nothing in the database has changed but the challenge that was taken. */
async function expectCheck(app: PasskeyCase, check: string, act: () => Promise<Response>): Promise<void> {
  const { verificationTokens: _before, ...before } = app.memory.snapshot();
  const answer = await act();
  expectRefused(answer);
  const { verificationTokens: _after, ...after } = app.memory.snapshot();
  expect(after).toEqual(before);
  expect(
    recordOf(answer)
      .logs.map(({ text }) => text)
      .join(),
  ).toContain(`"check":"${check}"`);
}

describe("the challenge of a passkey", () => {
  it("H218 refuses an answer to a challenge that no one made, and clears the one there is", async () => {
    const app = await withPasskey();
    const calls = app.memory.calls.length;
    await expectCheck(app, "challenge", () => app.authenticate("", { challenge: "A".repeat(43) }));
    expect(challengesOf(app)).toEqual([]);
    const since = app.memory.calls.slice(calls).map(({ method }) => method);
    expect(since, "the database was not asked").toEqual([]);
  });

  it("H218 refuses an answer without the cookie of its challenge", async () => {
    const app = await withPasskey();
    const asked = await app.options("action=authenticate");
    for (const { name } of challengesOf(app)) app.browser.cookies.delete(name);
    const data = await app.authenticator.get(asked);
    await expectCheck(app, "challenge", () => app.answer("authenticate", data));
  });

  it.each([
    [15 * 60 - 1, null],
    // Within the tolerance of the seal.
    [15 * 60 + 5, "challenge"],
    [15 * 60 + 16, "challenge"],
  ])("H065 H218 after %i seconds: refused by %s, whatever the browser does", async (seconds, check) => {
    const clock = installClock();
    const app = await withPasskey();
    const asked = await app.options("action=authenticate");
    const kept = challengesOf(app);
    const data = await app.authenticator.get(asked);
    clock.advance({ seconds });
    for (const { name, value } of kept) app.browser.cookies.set(`${name}=${value}; Path=/; Secure; HttpOnly`, ORIGIN);
    const act = () => app.answer("authenticate", data);
    if (check !== null) return expectCheck(app, check, act);
    expect(await (await act()).json()).toEqual({ url: `${ORIGIN}/dash` });
  });

  it("H218 refuses an answer to the challenge of another browser", async () => {
    const app = await withPasskey();
    const data = await app.authenticator.get(await app.options("action=authenticate"));
    app.browser.cookies.clear();
    await app.options("action=authenticate");
    await expectCheck(app, "challenge", () => app.answer("authenticate", data));
    expect(challengesOf(app)).toEqual([]);
  });

  it.each(["", ".", "..", "a b", "%00", "ey", "x".repeat(4000)])(
    "H218 R64 a cookie of %j is no challenge",
    async (value) => {
      const app = await withPasskey();
      const data = await app.authenticator.get(await app.options("action=authenticate"));
      const csrf = { csrfToken: await app.csrfToken(), action: "authenticate", data: JSON.stringify(data) };
      const cookie = cookieHeader(app.browser).replace(/(challenge\.[\w-]+)=[^;]*/, `$1=${value}`);
      const headers = { cookie, "content-type": "application/x-www-form-urlencoded" };
      const answer = await app.send(`${BASE}/callback/passkey`, {
        method: "POST",
        headers,
        body: new URLSearchParams(csrf),
      });
      expectRefused(answer);
    },
  );

  it("H219 refuses an assertion that says it is a registration, and the reverse", async () => {
    const app = await withPasskey();
    await expectCheck(app, "type", () => app.authenticate("", { type: "webauthn.create" }));
    await expectCheck(app, "type", () => app.register("email=bob@example.com", { type: "webauthn.get" }));
  });

  it("H219 refuses the challenge of the other ceremony", async () => {
    const app = await withPasskey();
    const registration = await app.options("action=register&email=bob@example.com");
    const assertion = await app.authenticator.get({ challenge: registration.challenge });
    await expectCheck(app, "challenge", () => app.answer("authenticate", assertion));
    const authentication = await app.options("action=authenticate");
    const forged = { ...registration, challenge: authentication.challenge };
    const credential = await app.authenticator.create(forged);
    await expectCheck(app, "challenge", () => app.answer("register", credential));
  });

  it("H219 refuses one ceremony's answer as the other's", async () => {
    const app = await withPasskey();
    const data = await app.authenticator.get(await app.options("action=authenticate"));
    const answer = await app.answer("register", data);
    expect(answer.status).toBe(400);
    expectRefused(answer);
  });

  it("H220 refuses the same answer with the same cookies once more", async () => {
    const app = await withPasskey();
    const data = await app.authenticator.get(await app.options("action=authenticate"));
    const csrfToken = await app.csrfToken();
    const cookie = cookieHeader(app.browser);
    const send = () =>
      app.send(`${BASE}/callback/passkey`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json" },
        body: JSON.stringify({ action: "authenticate", data, csrfToken }),
      });
    expect((await send()).headers.get("location")).toBe(ORIGIN);
    await expectCheck(app, "replay", send);
    expect(app.eventNames().filter((name) => name === "signIn")).toHaveLength(2);
  });

  it("H220 of several answers to one challenge that race, one signs in", async () => {
    const app = await withPasskey();
    const asked = await app.options("action=authenticate");
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.authenticator.get(asked)));
    const csrfToken = await app.csrfToken();
    const headers = { cookie: cookieHeader(app.browser), "content-type": "application/json" };
    const sent = await Promise.all(
      answers.map((data) => {
        const body = JSON.stringify({ action: "authenticate", data, csrfToken });
        return app.send(`${BASE}/callback/passkey`, { method: "POST", headers, body });
      }),
    );
    const places = sent.map((one) => one.headers.get("location"));
    expect(places.filter((place) => place === ORIGIN)).toHaveLength(1);
    expect(app.memory.snapshot().sessions).toHaveLength(1);
  });

  it("H220 a registration works once", async () => {
    const app = setUpPasskeys();
    const data = await app.authenticator.create(await app.options("action=register&email=ann@example.com"));
    const csrfToken = await app.csrfToken();
    const headers = { cookie: cookieHeader(app.browser), "content-type": "application/json" };
    const body = JSON.stringify({ action: "register", data, csrfToken });
    const send = () => app.send(`${BASE}/callback/passkey`, { method: "POST", headers, body });
    expect((await send()).headers.get("location")).toBe(ORIGIN);
    await expectCheck(app, "replay", send);
  });

  it("refuses the challenge of another provider", async () => {
    const app = await withPasskey();
    const data = await app.authenticator.get(await app.options("action=authenticate", "webauthn"));
    await expectCheck(app, "challenge", () => app.answer("authenticate", data));
  });

  it("refuses a credential of another provider of the same application", async () => {
    const app = await withPasskey();
    const data = await app.authenticator.get(await app.options("action=authenticate", "webauthn"));
    await expectCheck(app, "unknown-credential", () => app.answer("authenticate", data, { id: "webauthn" }));
  });

  it("two tabs sign in, whichever began first", async () => {
    const app = await withPasskey();
    const [first, second] = [await app.options("action=authenticate"), await app.options("action=authenticate")];
    expect(challengesOf(app)).toHaveLength(2);
    const late = await app.authenticator.get(second);
    expect(await (await app.answer("authenticate", late)).json()).toEqual({ url: `${ORIGIN}/dash` });
    // The other tab began when no one was signed in: it has to begin again.
    const early = await app.authenticator.get(first);
    await expectCheck(app, "session", () => app.answer("authenticate", early));
  });

  it("keeps five challenges, and drops the oldest", async () => {
    const clock = installClock();
    const app = await withPasskey();
    const asked = [];
    for (let n = 0; n < 7; n++) {
      asked.push(await app.options("action=authenticate"));
      clock.advance({ seconds: 1 });
    }
    expect(challengesOf(app)).toHaveLength(5);
    const [oldest, newest] = [asked[0], asked[6]];
    if (oldest === undefined || newest === undefined) throw new Error("seven were asked for");
    expect(await (await app.answer("authenticate", await app.authenticator.get(newest))).json()).toEqual({
      url: `${ORIGIN}/dash`,
    });
    const stale = await app.authenticator.get(oldest);
    expectRefused(await app.answer("authenticate", stale));
  });

  it("H014 H336 a secret that is rotated meanwhile breaks nothing", async () => {
    const app = await withPasskey();
    const data = await app.authenticator.get(await app.options("action=authenticate"));
    const csrfToken = await app.csrfToken();
    const rotated = { ...app.config, secret: ["a new secret of more than thirty-two bytes", SECRET] };
    const headers = { cookie: cookieHeader(app.browser), "content-type": "application/json" };
    const body = JSON.stringify({ action: "authenticate", data, csrfToken });
    const url = `${ORIGIN}${BASE}/callback/passkey`;
    const answer = await Auth(new Request(url, { method: "POST", headers, body }), rotated);
    expect(answer.headers.get("location")).toBe(ORIGIN);
  });

  it("H009 H012 a page of another site neither asks nor answers, and the adapter is not touched", async () => {
    const app = await withPasskey();
    const data = await app.authenticator.get(await app.options("action=authenticate"));
    const calls = app.memory.calls.length;
    const cookie = cookieHeader(app.browser);
    const type = { "content-type": "application/json" };
    const body = JSON.stringify({ action: "authenticate", data });
    for (const from of [{ origin: EVIL }, { "sec-fetch-site": "cross-site" }]) {
      const headers = { cookie, ...from };
      const path = `${BASE}/callback/passkey`;
      expectRefused(await app.send(path, { method: "POST", headers: { ...headers, ...type }, body }));
      expectRefused(await app.send(path, { method: "POST", headers }));
      const asked = await app.send(`${BASE}/webauthn-options/passkey`, { headers });
      expect(asked.status).toBe(403);
      expectRefused(asked);
    }
    expectRefused(await app.send(`${BASE}/callback/passkey`, { method: "POST", headers: { cookie, ...type }, body }));
    expect(app.memory.calls.slice(calls)).toEqual([]);
  });

  it.each([{ "sec-purpose": "prefetch" }, { purpose: "prefetch;prerender" }])(
    "H377 a look ahead (%o) makes no challenge, and HEAD neither",
    async (headers) => {
      const app = setUpPasskeys();
      const path = `${BASE}/webauthn-options/passkey?action=authenticate`;
      const ahead = await app.send(path, { headers });
      const head = await app.send(path, { method: "HEAD" });
      expect([ahead.status, head.status]).toEqual([425, 200]);
      expect([...ahead.headers.getSetCookie(), ...head.headers.getSetCookie()]).toEqual([]);
      expect(app.memory.calls).toEqual([]);
    },
  );

  it("6.7.2 every challenge has 32 random bytes and is used for one ceremony", async () => {
    const app = setUpPasskeys();
    const made = new Set<string>();
    for (let n = 0; n < 20; n++) made.add((await app.options("action=authenticate")).challenge);
    expect(made.size).toBe(20);
    for (const challenge of made) expect(Buffer.from(challenge, "base64url")).toHaveLength(32);
  });

  it("the database learns no challenge", async () => {
    const app = await withPasskey();
    const asked = await app.options("action=authenticate");
    await app.answer("authenticate", await app.authenticator.get(asked));
    expect(app.memory.snapshot().verificationTokens.at(-1)).toMatchObject({
      identifier: "webauthn:passkey",
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.stringify(app.memory.calls)).not.toContain(asked.challenge);
  });
});
