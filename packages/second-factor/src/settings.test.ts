/** The level `settings` of step-up is asked for before factors, passwords and sessions are changed (ASVS 7.5.1, 7.5.2). */
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { Password, scrypt } from "@cardea/providers-password";
import { sessions } from "@cardea/sessions";
import { stepUp } from "@cardea/step-up";
import { createBrowser, createClock, createMemoryAdapter, totpCode } from "@cardea/testing";
import { afterEach, describe, expect, it } from "vitest";
import { secondFactor } from "./index.ts";

const ORIGIN = "https://app.example.com";
const PASSWORD = "purple monkey sings";
const OTHER = "quiet river under stones";
const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** Ann is signed in by her password; time stands still. */
async function start(within: string | null, strategy: "jwt" | "database") {
  const clock = createClock(Math.floor(Date.now() / 30_000) * 30_000);
  const installed = clock.install();
  endings.push(() => installed.restore());
  const hash = scrypt({ N: 2 ** 10 });
  const memory = createMemoryAdapter({
    keepIds: true,
    seed: { users: [{ id: "ann", name: "Ann", email: "ann@example.com", emailVerified: new Date(0), image: null }] },
  });
  await memory.adapter.createCredential?.({
    userId: "ann",
    type: "password",
    secret: await hash.hash(PASSWORD),
    createdAt: new Date(0),
    state: {},
  });
  const levels = within === null ? {} : { settings: { within } };
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: memory.adapter,
    store: memoryStore({ instances: 1 }),
    session: { strategy },
    providers: [Password({ hash, breached: false, parallel: 2, mail: () => undefined })],
    extensions: [secondFactor(), stepUp(levels), sessions({ revocation: { check: "each" } })],
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  });
  const browser = createBrowser((request) => handlers[request.method === "POST" ? "POST" : "GET"](request), {
    origin: ORIGIN,
    now: clock.now,
  });
  const send = async (path: string, fields: Record<string, string>) => {
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken, ...fields });
    return browser.fetch(path, { method: "POST", body, headers: { "x-auth-return-redirect": "1" } });
  };
  await send("/auth/callback/password", { email: "ann@example.com", password: PASSWORD });
  expect(await (await browser.fetch("/auth/session")).json()).toMatchObject({ user: { name: "Ann" } });
  return { memory, clock, browser, send };
}

const ASKED = expect.stringContaining("/auth/step-up?level=settings&callbackUrl=");

describe.each(["jwt", "database"] as const)("the level settings, %s sessions", (strategy) => {
  it("is asked for by factors, sessions and passwords once the sign-in is too old, and a password in place is enough", async () => {
    const app = await start("5m", strategy);
    app.clock.advance({ seconds: 360 });
    const factors = await app.send("/auth/factors/totp", { step: "begin" });
    expect([factors.status, await factors.json()]).toEqual([
      401,
      { error: "factors", code: "proof_required", url: ASKED },
    ]);
    expect((await app.browser.fetch("/auth/factors")).status).toBe(401);
    const before = JSON.stringify(app.memory.snapshot());
    for (const end of ["all", "others"]) {
      const answer = await app.send("/auth/sessions", { end });
      expect([answer.status, await answer.json()]).toEqual([401, { error: "proof_required", url: ASKED }]);
    }
    expect(JSON.stringify(app.memory.snapshot())).toBe(before);
    const page = await app.browser.navigate("/auth/step-up?level=settings&callbackUrl=/auth/factors");
    const wrong = await app.browser.submit(page, { action: "/auth/password/confirm", fields: { password: "wrong" } });
    expect(wrong.redirectsTo).toContain("/auth/password?step=confirm&");
    expect(wrong.redirectsTo).toContain("error=wrong-password");
    const again = await app.browser.navigate(wrong.redirectsTo ?? "");
    const right = await app.browser.submit(again, { action: "/auth/password/confirm", fields: { password: PASSWORD } });
    expect(right.redirectsTo).toBe(`${ORIGIN}/auth/factors`);
    expect((await app.send("/auth/factors/totp", { step: "begin" })).status).toBe(200);
    expect((await app.send("/auth/sessions", { end: "others" })).status).toBe(200);
  });

  it("is met by the current password where a password is changed", async () => {
    const app = await start("5m", strategy);
    app.clock.advance({ seconds: 360 });
    const answer = await app.send("/auth/password/change", { current: PASSWORD, password: OTHER });
    expect(await answer.json()).toMatchObject({ url: `${ORIGIN}/auth/password?step=done` });
    const wrong = await app.send("/auth/password/change", { current: PASSWORD, password: PASSWORD });
    expect(await wrong.json()).toMatchObject({ url: expect.stringContaining("error=wrong-password") });
  });

  it("stands beside the proof of a factor: neither takes the place of the other", async () => {
    const app = await start("5m", strategy);
    const { enrol } = await (await app.send("/auth/factors/totp", { step: "begin" })).json();
    const code = await totpCode(enrol.secret, app.clock.now());
    await app.send("/auth/factors/totp", { step: "confirm", setup: enrol.setup, code });
    app.clock.advance({ seconds: 960 });
    await app.send("/auth/password/confirm", { password: PASSWORD });
    const asked = await app.send("/auth/factors/recovery", { step: "regenerate" });
    expect(await asked.json(), "a password alone changes no factor").toMatchObject({
      url: expect.stringContaining("/auth/factor?"),
    });
    await app.send("/auth/factor/totp", { code: await totpCode(enrol.secret, app.clock.now()) });
    expect((await app.send("/auth/factors/recovery", { step: "regenerate" })).status).toBe(200);
  });

  it("is asked for nowhere without a level of that name, nor to end the own session", async () => {
    const none = await start(null, strategy);
    none.clock.advance({ seconds: 360 });
    expect((await none.send("/auth/factors/totp", { step: "begin" })).status).toBe(200);
    expect((await none.send("/auth/sessions", { end: "others" })).status).toBe(200);
    const some = await start("5m", strategy);
    some.clock.advance({ seconds: 360 });
    const { sessions: listed } = await (await some.browser.fetch("/auth/sessions")).json();
    const own = listed.find(({ current }: { current: boolean }) => current);
    expect((await some.send("/auth/sessions", { end: own.id })).status).toBe(200);
  });
});
